// SPDX-License-Identifier: Apache-2.0

/// What can stand as a value in JSON text.
package protocol JSONWritable {
    func write(to writer: inout JSONWriter)
}

/// Objects and arrays, with commas where they belong:
///
///     writer.object {
///         $0.member("now", 30_000_000)
///         $0.array("ports") { $0.element("round") }
///     }
extension JSONWriter {
    @inlinable package mutating func object(_ body: (inout JSONWriter) -> Void) {
        separate()
        append(byte: UInt8(ascii: "{"))
        body(&self)
        append(byte: UInt8(ascii: "}"))
    }

    @inlinable package mutating func array(_ body: (inout JSONWriter) -> Void) {
        separate()
        append(byte: UInt8(ascii: "["))
        body(&self)
        append(byte: UInt8(ascii: "]"))
    }

    @inlinable package mutating func object(
        _ name: StaticString, _ body: (inout JSONWriter) -> Void
    ) {
        key(name)
        object(body)
    }

    @inlinable package mutating func array(_ name: StaticString, _ body: (inout JSONWriter) -> Void)
    {
        key(name)
        array(body)
    }

    @inlinable package mutating func member(_ name: StaticString, _ value: some JSONWritable) {
        key(name)
        value.write(to: &self)
    }

    /// Adds a member only where there is a value.
    @inlinable package mutating func member(
        _ name: StaticString, ifPresent value: (some JSONWritable)?
    ) {
        if let value { member(name, value) }
    }

    @inlinable package mutating func element(_ value: some JSONWritable) {
        separate()
        value.write(to: &self)
    }

    /// A member's name and colon; its value comes next. The name needs no escapes: it is a literal.
    package mutating func key(_ name: StaticString) {
        separate()
        append(byte: UInt8(ascii: "\""))
        append(name)
        append("\":")
    }

    /// The same for a name known only when running.
    package mutating func key(_ name: String) {
        separate()
        append(string: name)
        append(byte: UInt8(ascii: ":"))
    }
}

extension Int: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.append(Int64(self)) }
}

extension Int64: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.append(self) }
}

extension Double: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.append(self) }
}

extension Bool: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.append(self) }
}

extension String: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.append(string: self) }
}

extension StaticString: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.append(utf8: UnsafeRawBufferPointer(start: utf8Start, count: utf8CodeUnitCount))
    }
}

extension RawJSON: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.append(bytes) }
}
