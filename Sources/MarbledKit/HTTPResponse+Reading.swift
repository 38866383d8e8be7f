// SPDX-License-Identifier: Apache-2.0

extension HTTPResponse {
    /// Whether the status is one from 200 to 299.
    public var isSuccess: Bool { (200...299).contains(status) }

    /// The value of a header field; upper and lower case are the same in its name (RFC 9110, 5.1).
    public func header(_ name: String) -> String? {
        let name = name.lowercased()
        // The smallest spelling, so that a field given twice is read alike in every run.
        return headers?.filter { $0.key.lowercased() == name }.min { $0.key < $1.key }?.value
    }

    /// The body as a value.
    ///
    /// Throws `PortValueError` when the body is not JSON, or is JSON of something else.
    public func json<Value: PortValue>(as type: Value.Type = Value.self) throws -> Value {
        var body = body ?? ""
        return try body.withUTF8 { bytes in
            let isSpace = { (byte: UInt8) in " \t\r\n".utf8.contains(byte) }
            // Scalars are read as they stand; a service may end its lines.
            guard let first = bytes.firstIndex(where: { !isSpace($0) }),
                let last = bytes.lastIndex(where: { !isSpace($0) })
            else { throw PortValueError("the body is empty") }
            return try Value.decode(
                UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[first...last])))
        }
    }
}
