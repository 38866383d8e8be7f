// SPDX-License-Identifier: Apache-2.0

internal import CLibuv
import Glibc

/// A call into libuv or the kernel that failed: which one, on what, and why.
///
/// A fact to report or to map to an error of the caller's own; it holds nothing.
package struct LoopError: Error, Equatable, Sendable {
    /// libuv's code, which on Linux is the negative `errno`.
    package let code: CInt
    /// The call that failed, such as `bind`.
    package let call: String
    /// What it was called for, such as a path; empty when the call says enough.
    package let subject: String

    package init(code: CInt, call: String, subject: String = "") {
        self.code = code
        self.call = call
        self.subject = subject
    }

    /// The failure that `errno` holds now.
    static func current(_ call: String, _ subject: String = "") -> LoopError {
        LoopError(code: -errno, call: call, subject: subject)
    }

    /// The code's name: `EPIPE`.
    package var name: String {
        Self.text { uv_err_name_r(code, $0, $1) }
    }

    /// The code in words: `broken pipe`.
    package var reason: String {
        Self.text { uv_strerror_r(code, $0, $1) }
    }

    // The `_r` forms, because the plain ones leak a string for every code they do not know.
    private static func text(
        _ fill: (UnsafeMutablePointer<CChar>, Int) -> UnsafeMutablePointer<CChar>?
    ) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
            guard let start = buffer.baseAddress, fill(start, buffer.count) != nil else {
                return ""
            }
            return String(cString: start)
        }
    }
}

extension LoopError: CustomStringConvertible {
    package var description: String {
        "\(call)\(subject.isEmpty ? "" : " \(subject)") failed: \(reason) (\(name))"
    }
}
