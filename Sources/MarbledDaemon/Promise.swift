// SPDX-License-Identifier: Apache-2.0

/// What the protocol promises beyond the methods' own declarations: each promise has a name that tests bear
/// and a sentence that the protocol page prints.
package enum Promise: String, CaseIterable, Sendable {
    // Framing and JSON-RPC
    case line, lineLimit, idEchoed, notificationSilent, batchOneLine, batchLimits, unknownParameter
    case resultsGrow, errorKind, overtaking
    // Order
    case eventsBeforeAnswer, subscribeAnsweredFirst, cancelledAnsweredFirst, callsInTurn
    // Streams
    case stateSnapshot, stateNewest, eventGap, eventClose, cursorResumes, cursorReset, bookmarks
    case everyOutput, flushWrites, closedTold, halfClosed
    // Fairness
    case slowClient, turns, longRunsInSlices
    // Time
    case virtualDeterministic, awaitLosesNothing, cancelStops
    // Who may do what
    case kernelIdentity, levels, deniedSaysWhat, connectionsPerUser, socketFromTheStart
    // Life
    case stopTells, reloadKeeps, oldCodeStays, ephemeralCloses

    /// What a client may rely on.
    package var sentence: String {
        switch self {
        case .line:
            "A message is one JSON text on one line, UTF-8, ended by LF. The daemon never writes a line feed "
                + "inside a message. A carriage return before the LF and empty lines are ignored."
        case .lineLimit:
            "A line longer than `lineBytes` is answered with `limit` to id null; then the connection closes."
        case .idEchoed: "An id, a string or a number or null, comes back as it was written."
        case .notificationSilent:
            "A notification is carried out and never answered, not even with an error."
        case .batchOneLine:
            "The answers to a batch are one line, in the order of its calls, once the last one is there."
        case .batchLimits:
            "Of a batch at most `batchCalls` calls are carried out and `batchAnswerBytes` of answers given; "
                + "each further call is answered with `limit`."
        case .unknownParameter:
            "Parameters are given by name; an unknown one is refused before anything happens."
        case .resultsGrow:
            "A result is an object that may grow; a client leaves alone what it does not know."
        case .errorKind:
            "Each error has `data.kind`, a word that stays, and where it helps `pointer`, `expected`, "
                + "`suggestion`."
        case .overtaking: "An answer may overtake that of an earlier call that waits."
        case .eventsBeforeAnswer:
            "Every stream message that a call causes is written on its connection before its answer."
        case .subscribeAnsweredFirst:
            "Nothing is sent for a subscription before the answer that names it, in a batch neither."
        case .cancelledAnsweredFirst:
            "A call that was taken back is answered before `rpc.cancel` is."
        case .callsInTurn:
            "What touches an instance while a run goes on there waits its turn, in the order it came."
        case .stateSnapshot: "A subscriber to a state is sent its newest value at once."
        case .stateNewest:
            "A slow subscriber to a state misses values in between, and always gets the last one."
        case .eventGap:
            "A slow subscriber to events loses the oldest past `queuedEvents` or `queuedEventBytes`, and is told "
                + "how many by `stream.gap` in their place."
        case .eventClose:
            "One that chose `close` is told by `stream.closed` instead and hears no more."
        case .cursorResumes:
            "With `since`, all that came after that cursor is sent, on another connection as well."
        case .cursorReset:
            "A cursor that is too old, or of another daemon or instance, is answered with `reset: true`; a snapshot "
                + "of the states follows."
        case .bookmarks:
            "A subscriber that hears nothing is told its cursor by `stream.bookmark` every `bookmarkNanoseconds`, "
                + "where it has moved."
        case .everyOutput: "The output `*` is every output of the instance, in one order."
        case .flushWrites:
            "`stream.flush` is answered after all that was held back for the connection has been written."
        case .closedTold: "A stream that ends says why by `stream.closed`."
        case .halfClosed:
            "A client that only stops sending is answered, and hears its streams on; then it is closed."
        case .slowClient:
            "A client that does not read is told why, in each of its streams and by `limit` to id null, and closed: "
                + "past `hardUnsentBytes`, or after `softUnsentNanoseconds` above `softUnsentBytes`. The others "
                + "lose nothing."
        case .turns:
            "A connection has `messagesPerTurn` messages or `turnNanoseconds`, then the others have their turn."
        case .longRunsInSlices:
            "A long virtual run is cut into slices; other clients are answered in between."
        case .virtualDeterministic:
            "The same calls to a virtual instance give the same messages, byte for byte, but for the names of "
                + "cursors."
        case .awaitLosesNothing:
            "`instance.await` answers with all that came, however it ends, also when it is taken back."
        case .cancelStops:
            "`rpc.cancel` stops the run of the call that it takes back, between two items; so does the client that "
                + "made it, when it is gone."
        case .kernelIdentity:
            "Who a client is, is what the kernel says of it when it connects: user, group, further groups."
        case .levels:
            "A method that needs a level above the caller's is refused before anything happens."
        case .deniedSaysWhat: "That refusal has the kind `denied` and says what would be needed."
        case .connectionsPerUser:
            "A connection past `connections` or `connectionsPerUser`, or of a user who may do nothing, is sent one "
                + "error with id null that says so, and closed."
        case .socketFromTheStart:
            "The socket is at its path only with its final group and mode, and listening."
        case .stopTells:
            "A daemon that stops answers what waits with `stopping`, or with what came, and ends each stream with "
                + "the reason."
        case .reloadKeeps:
            "A reload keeps connections and instances; a wrong configuration changes nothing."
        case .oldCodeStays: "An instance stays on the build of its plugin that it was opened with."
        case .ephemeralCloses: "An instance opened as ephemeral closes with its connection."
        }
    }
}
