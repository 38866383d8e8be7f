// SPDX-License-Identifier: Apache-2.0

/// JSON in Swift's own words: `["instance": "i1", "now": 0, "ports": [true, nil]]`.
extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringInterpolation,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(nilLiteral: ()) { self = .null }
    package init(booleanLiteral bool: Bool) { self = .bool(bool) }
    package init(integerLiteral number: Int64) { self = .int(number) }
    package init(floatLiteral number: Double) { self = .double(number) }
    package init(stringLiteral string: String) { self = .string(string) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(dictionaryLiteral members: (String, JSONValue)...) { self = .object(members) }
}
