// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
internal import MarbledHost

/// Values for ports and options, made from their schemas: the same seed makes the same values.
struct ValueMaker {
    private let generator: RandomProvider

    init(seed: UInt64) {
        generator = RandomProvider(seed: seed)
    }

    /// A number from 0 up to and without `count`.
    func pick(_ count: Int) -> Int { Int(generator.draw(0, Int64(count) - 1)) }

    /// A value that fits.
    func value(_ schema: ValueSchema, depth: Int = 0) -> JSONValue {
        switch schema {
        case .any: return Self.samples[pick(Self.samples.count)]
        case .null: return .null
        case .boolean: return .bool(pick(2) == 0)
        case .integer(let minimum, let maximum): return .int(integer(minimum, maximum))
        case .number: return Self.numbers[pick(Self.numbers.count)]
        case .string: return .string(Self.texts[pick(Self.texts.count)])
        case .oneOf(let values): return values[pick(values.count)]
        case .anyOf(let schemas): return value(schemas[pick(schemas.count)], depth: depth)
        case .array(let element):
            // What contains itself must end.
            let count = depth > 3 ? 0 : pick(4)
            return .array((0..<count).map { _ in value(element, depth: depth + 1) })
        case .object(let members, let required, _):
            var made: [(String, JSONValue)] = []
            for member in members where required.contains(member.name) || pick(2) == 0 {
                made.append((member.name, value(member.schema, depth: depth + 1)))
            }
            return .object(made)
        }
    }

    /// A value that does not fit, or nil where everything does.
    static func wrongValue(_ schema: ValueSchema) -> JSONValue? {
        samples.first { (try? schema.check($0, pointer: "")) == nil }
    }

    private func integer(_ minimum: Int64?, _ maximum: Int64?) -> Int64 {
        let low = minimum ?? .min
        let high = maximum ?? .max
        guard low < high else { return low }
        switch pick(16) {
        case 0: return low
        case 1: return high
        default: return generator.draw(max(low, min(-2, high)), min(high, max(low, 9)))
        }
    }

    private static let samples: [JSONValue] = [
        .null, .bool(true), .int(1), .int(-3), .double(0.5), .string("a"), .string(""), .array([]),
        .object([]), .int(.max), .object([("no such member", .int(1))]), .array([.null, .int(2)]),
    ]
    private static let numbers: [JSONValue] = [
        .int(0), .int(-1), .int(7), .double(0.5), .double(-2.25), .double(1e300), .int(.max),
    ]
    private static let texts = [
        "", "a", "marble", "Straße", "\"quoted\"\\\n\u{0}", "🎱",
        String(repeating: "long ", count: 200),
    ]
}
