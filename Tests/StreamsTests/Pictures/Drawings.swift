// SPDX-License-Identifier: Apache-2.0

import Streams

/// How each lane of the documentation is made, by its label.
enum Drawings {
    static var all: [Drawing] {
        making + transforming + choosing + collecting + elements + combining + flattening + errors
            + time + sharing + scheduling + subjects + traits
    }

    /// What is known.
    static let labels = Set(all.map(\.label))

    static func named(_ label: String) -> Drawing? { all.first { $0.label == label } }
}

/// An object that a stream is told to hold on to, or not to.
final class Named: CustomStringConvertible, Sendable {
    static let object = Named("object")
    let name: String
    var description: String { name }

    init(_ name: String) { self.name = name }
}

/// Reads hexadecimal digits, as a decoder of JSON reads bytes.
struct HexDecoder: DataDecoder {
    struct Hex: Decodable, CustomStringConvertible {
        var value: Int
        var description: String { "\(value)" }
    }

    func decode<Item: Decodable>(_ type: Item.Type, from data: String) throws -> Item {
        guard let value = Int(data, radix: 16), let item = Hex(value: value) as? Item else {
            throw Oops()
        }
        return item
    }
}

extension Drawings {
    /// A tuple as a picture's note spells it.
    static func pair(_ a: some Any, _ b: some Any) -> String { "(\(a), \(b))" }
}
