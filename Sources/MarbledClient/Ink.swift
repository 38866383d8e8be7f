// SPDX-License-Identifier: Apache-2.0

/// Colours that repeat what the words already say.
package struct Ink: Sendable {
    package let isOn: Bool

    package init(isOn: Bool) { self.isOn = isOn }

    package static let none = Ink(isOn: false)

    package func heading(_ text: String) -> String { paint(text, "1") }
    package func faint(_ text: String) -> String { paint(text, "2") }
    package func good(_ text: String) -> String { paint(text, "32") }
    package func bad(_ text: String) -> String { paint(text, "31") }

    private func paint(_ text: String, _ code: String) -> String {
        isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
