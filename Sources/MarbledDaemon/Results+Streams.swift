// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC

/// Subscriptions, and what comes unasked.
extension Results {
    static let subscribed = Shape.object(
        "Subscribed",
        [
            "subscription": subscriptionName,
            "cursor": .string.doc("Where the stream stands; `since` takes it."),
        ],
        optional: [
            "reset": .boolean.doc("True where `since` is too old or of another life.")
        ])

    private static let subscriptionName = Shape.string.doc("The subscription's name.")
    private static let cursor = Shape.string.doc("To resume behind this, with `since`.")

    /// What the daemon says without being asked.
    static var notifications: [(method: String, doc: String, params: Shape)] {
        [
            (
                "stream.event", "An output said something.",
                .object(
                    "StreamEvent",
                    [
                        "subscription": subscriptionName, "cursor": cursor, "at": .instant,
                        "output": .string.doc("The output's name."),
                        "event": .words(["next", "error", "completed"]).doc("What it did."),
                    ], optional: ["value": .any.doc("The value or the error.")])
            ),
            (
                "stream.gap", "Events were lost, because this subscriber was too slow.",
                .object(
                    "StreamGap",
                    [
                        "subscription": subscriptionName,
                        "from": .string.doc("The cursor before the first one."),
                        "to": .string.doc("The cursor behind the last one."),
                        "count": .integer.doc("How many."),
                    ])
            ),
            (
                "stream.bookmark", "Nothing came for a while, and this is where the stream stands.",
                .object("StreamBookmark", ["subscription": subscriptionName, "cursor": cursor])
            ),
            (
                "stream.closed", "A subscription ended, and why.",
                .object(
                    "StreamClosed",
                    ["subscription": subscriptionName, "reason": .string.doc("Why.")])
            ),
        ]
    }
}
