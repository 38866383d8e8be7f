// SPDX-License-Identifier: Apache-2.0

/// One header field, as it stands on the wire.
package struct HTTPField: Equatable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// Whether this is the field of a name; letters of either case are the same.
    func isNamed(_ lowercased: String) -> Bool {
        name.utf8.count == lowercased.utf8.count && name.lowercased() == lowercased
    }

    /// A name is a token (RFC 9110, 5.1): no blank, no colon, nothing beyond ASCII.
    static func isName(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }

    /// A value has no control character but the tab: a line end in it would begin another field.
    static func isValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }
    }
}
