// SPDX-License-Identifier: Apache-2.0

extension HTTPResponse {
    /// Whether the status is one from 200 to 299.
    public var isSuccess: Bool { (200...299).contains(status) }

    /// The body as a value.
    ///
    /// Throws `PortValueError` when the body is not JSON, or is JSON of something else.
    public func json<Value: PortValue>(as type: Value.Type = Value.self) throws -> Value {
        try bytes.withUnsafeBytes { bytes in
            let isSpace = { (byte: UInt8) in " \t\r\n".utf8.contains(byte) }
            // Scalars are read as they stand; a service may end its lines.
            guard let first = bytes.firstIndex(where: { !isSpace($0) }),
                let last = bytes.lastIndex(where: { !isSpace($0) })
            else { throw PortValueError("the body is empty") }
            return try Value.decode(UnsafeRawBufferPointer(rebasing: bytes[first...last]))
        }
    }
}
