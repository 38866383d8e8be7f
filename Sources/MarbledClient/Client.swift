// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import JSONRPC
internal import Scheduling

/// A call from the server that nobody asked for.
package struct ServerNotification: Equatable, Sendable {
    package var method: String
    package var params: JSONValue

    package init(_ method: String, _ params: JSONValue) {
        self.method = method
        self.params = params
    }
}

/// A conversation with a daemon, for programs that do one thing at a time.
///
/// One thread uses it; every verb blocks no longer than its deadline. Answers may come in any order
/// and notifications between them: what is not waited for is kept.
/// Bound: `longestQueue` notifications while an answer is awaited; one more ends the conversation.
package final class Client {
    /// The longest line that a server may send, in bytes: a long record is one line.
    package static let longestLine = 256 << 20
    package static let longestQueue = 1 << 20

    private let socket: ClientSocket
    private let validator = JSONValidator()
    private var decoder = FrameDecoder(limit: longestLine)
    private var lastID: Int64 = 0
    /// The methods of calls without an answer yet.
    private var calls: [Int64: String] = [:]
    private var answers: [Int64: Result<JSONValue, RemoteError>] = [:]
    private var notifications = Queue<ServerNotification>()
    private var ending: ClientError?

    /// The path it connected to; nil where it was given a socket.
    package private(set) var path: String?

    /// Takes over a connected stream socket.
    package init(adopting descriptor: Int32) {
        socket = ClientSocket(adopting: descriptor)
    }

    private init(_ socket: ClientSocket) { self.socket = socket }

    /// Connects to the first of `paths` that exists.
    package static func connect(
        to paths: [SocketPath], timeout: Duration = .seconds(5)
    ) throws(ClientError) -> Client {
        var attempts: [FailedAttempt] = []
        for path in paths {
            switch ClientSocket.connect(to: path.path, timeout: timeout) {
            case .success(let socket):
                let client = Client(socket)
                client.path = path.path
                return client
            case .failure(let fault): attempts.append(FailedAttempt(path, fault.fault))
            }
            guard attempts.last?.fault == .absent else { break }
        }
        throw .cannotConnect(attempts)
    }

    /// For callers that wait for more than this conversation.
    package var descriptor: Int32 { socket.descriptor }

    /// The process that listens, as the kernel knows it; nil where it says nothing.
    package var peerProcess: Int32? {
        // `struct ucred`, which the C library hides: process, user, group.
        var credentials: [Int32] = [0, 0, 0]
        var size = socklen_t(3 * MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0,
            credentials[0] > 0
        else { return nil }
        return credentials[0]
    }

    /// Calls and waits for the answer; without a timeout as long as it takes.
    package func call(
        _ method: String, _ params: JSONValue = [:], timeout: Duration? = nil
    ) throws(ClientError) -> JSONValue {
        let deadline = timeout.map(Deadline.after)
        let id = try begin(method, params, until: deadline)
        guard let result = try answer(to: id, until: deadline) else {
            calls[id] = nil
            throw .timeout(method)
        }
        return result
    }

    /// Sends a call and does not wait for its answer; `answer(to:until:)` does. A call that cannot be sent
    /// before the deadline ends the conversation: half of it is on its way.
    package func begin(
        _ method: String, _ params: JSONValue = [:], until deadline: Deadline? = nil
    ) throws(ClientError) -> Int64 {
        lastID += 1
        var writer = JSONWriter()
        writer.request(id: lastID, method: method, params: params)
        calls[lastID] = method
        while writer.count > 0 {
            // A server that waits for its reader reads nothing itself: both directions go on here.
            let ready = socket.wait(for: Int32(POLLIN | POLLOUT), until: deadline)
            guard ready != 0 else {
                ending = .timeout(method)
                throw .timeout(method)
            }
            if ready & Int32(POLLIN) != 0 { try receive() }
            guard ready & Int32(POLLIN) == 0 || ready & Int32(POLLOUT) != 0 else { continue }
            switch socket.send(writer.bytes) {
            case .bytes(let count): writer.dropFirst(count)
            case .wouldBlock: break
            case .ended(let reason):
                // What the server said before it left explains more than the broken pipe does.
                try? receive()
                // A refusal that crossed the call on its way is its answer.
                if answers[lastID] != nil { return lastID }
                throw ending ?? .closed(reason)
            }
        }
        return lastID
    }

    /// The answer to a call, or nil at the deadline; the call may then be asked for again.
    package func answer(
        to id: Int64, until deadline: Deadline? = nil
    ) throws(ClientError) -> JSONValue? {
        while true {
            if let answer = answers.removeValue(forKey: id) {
                let method = calls.removeValue(forKey: id) ?? ""
                switch answer {
                case .success(let result): return result
                case .failure(let error): throw .refused(error, method: method)
                }
            }
            guard try receive(until: deadline) else { return nil }
        }
    }

    /// The next notification, or nil at the deadline.
    package func nextNotification(
        until deadline: Deadline? = nil
    ) throws(ClientError) -> ServerNotification? {
        while true {
            if let notification = takeNotification() { return notification }
            guard try receive(until: deadline) else { return nil }
        }
    }

    /// The next notification that is here already.
    package func takeNotification() -> ServerNotification? {
        notifications.popFirst()
    }

    /// Waits for bytes and takes them in; false at the deadline.
    private func receive(until deadline: Deadline?) throws(ClientError) -> Bool {
        if let ending { throw ending }
        guard socket.wait(for: Int32(POLLIN), until: deadline) != 0 else { return false }
        try receive()
        return true
    }

    /// Takes in what has come, without waiting. Throws only when there was nothing more to take: what
    /// came before the end is kept and given out first.
    package func receive() throws(ClientError) {
        if let ending { throw ending }
        switch socket.receive(into: decoder.room(atLeast: 64 * 1024)) {
        case .wouldBlock: break
        case .bytes(let count):
            decoder.didRead(count)
            do {
                try takeLines()
            } catch {
                ending = error
            }
        case .ended(let reason):
            let cut = decoder.pendingCount > 0 ? "in the middle of a line" : nil
            ending = .closed(reason ?? cut)
        }
    }

    private func takeLines() throws(ClientError) {
        while true {
            switch decoder.next() {
            case .needsBytes: return
            case .lineTooLong: throw .notUnderstood("a line longer than \(Self.longestLine) bytes")
            case .frame(let frame): try take(frame)
            }
        }
    }

    private func take(_ frame: Frame) throws(ClientError) {
        let message: ServerMessage
        do {
            message = try ServerMessage(frame, validator: validator)
        } catch {
            throw .notUnderstood(Self.quote(frame))
        }
        switch message {
        case .result(let id, let result):
            if calls[id] != nil { answers[id] = .success(JSONValue(result)) }
        case .error(let id?, let error):
            if calls[id] != nil { answers[id] = .failure(RemoteError(JSONValue(error))) }
        case .error(nil, let error):
            // The server could not tell which call it was; the only open one, if there is one.
            guard calls.count == 1, let call = calls.first else {
                throw .refused(RemoteError(JSONValue(error)), method: "a call")
            }
            answers[call.key] = .failure(RemoteError(JSONValue(error)))
        case .notification(let method, let params):
            guard notifications.count < Self.longestQueue else {
                throw .notUnderstood("\(Self.longestQueue) notifications before an answer")
            }
            notifications.append(
                ServerNotification(method.string, params.map { JSONValue($0) } ?? [:]))
        }
    }

    private static func quote(_ frame: Frame) -> String {
        let start = String(decoding: frame.bytes.prefix(60), as: UTF8.self)
        let text = String(start.map { $0.isASCII && $0 >= " " && $0 != "\u{7F}" ? $0 : "?" })
        return "\"\(text)\(frame.bytes.count > 60 ? "…" : "")\""
    }
}
