// SPDX-License-Identifier: Apache-2.0

/// The name of a piece of scheduled work, shown when a limit strikes or someone asks what is waited for.
///
/// One pointer wide, so that naming work costs nothing: it refers to text that lives as long as the
/// process (a literal, or a string inside a plugin, which is never unloaded).
@frozen
public struct WorkLabel: Sendable, ExpressibleByStringLiteral {
    // Safety: points at immutable text with the lifetime of the process; nothing is ever written.
    @usableFromInline nonisolated(unsafe) let text: UnsafePointer<CChar>

    /// A label made of a literal.
    @inlinable
    public init(stringLiteral value: StaticString) {
        precondition(value.hasPointerRepresentation, "a work label is a literal of ASCII text")
        text = UnsafeRawPointer(value.utf8Start).assumingMemoryBound(to: CChar.self)
    }

    /// A label made of C text that outlives the process's last scheduler.
    @inlinable
    public init(immortal text: UnsafePointer<CChar>) {
        self.text = text
    }

    /// The label as C text, to hand over a C boundary.
    @inlinable
    public var cString: UnsafePointer<CChar> { text }
}

extension WorkLabel: CustomStringConvertible {
    public var description: String { String(cString: text) }
}
