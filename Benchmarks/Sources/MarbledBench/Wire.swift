// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A blocking connection to a Unix socket that speaks lines: for what is set up around a measurement.
final class Wire {
    private let descriptor: CInt
    private var rest: [UInt8] = []

    /// Connects, or throws when nobody listens at `path`.
    init(_ path: String) throws {
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw BenchError("there is no socket to be had") }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        withUnsafeMutableBytes(of: &address.sun_path) { place in
            place.copyBytes(from: path.utf8.prefix(room - 1))
        }
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else {
            close(descriptor)
            throw BenchError("nobody listens at \(path)")
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Sends a call of the daemon's protocol and returns its answer; an error is thrown with its text.
    @discardableResult
    func call(_ method: String, _ params: String = "{}") throws -> String {
        try send(Self.request(method, params))
        let answer = try answer()
        guard !answer.hasPrefix(#"{"jsonrpc":"2.0","error":"#) else {
            throw BenchError("\(method): \(answer)")
        }
        return answer
    }

    /// The line of a call.
    static func request(_ method: String, _ params: String = "{}") -> String {
        #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"# + "\n"
    }

    func send(_ text: String) throws {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw BenchError("the connection broke while writing") }
            bytes = bytes.dropFirst(count)
        }
    }

    /// The next answer; what streams say in between is passed over.
    func answer() throws -> String {
        while true {
            let line = try line()
            if !line.hasPrefix(#"{"jsonrpc":"2.0","method":"#) { return line }
        }
    }

    /// The next line, without its end.
    func line() throws -> String {
        var chunk = [UInt8](repeating: 0, count: 64 * 1_024)
        while true {
            if let end = rest.firstIndex(of: 10) {
                defer { rest.removeFirst(end + 1) }
                return String(decoding: rest[..<end], as: UTF8.self)
            }
            let count = read(descriptor, &chunk, chunk.count)
            guard count > 0 else { throw BenchError("the connection closed instead of answering") }
            rest.append(contentsOf: chunk[..<count])
        }
    }

    /// Whether nothing has come that was not read yet.
    var isSilent: Bool {
        var query = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return rest.isEmpty && poll(&query, 1, 0) == 0
    }

    /// The integer behind `"name":` in an answer.
    static func integer(_ name: String, in answer: String) -> Int? {
        let key = Array("\"\(name)\":".utf8)
        var rest = Array(answer.utf8)[...]
        while rest.count > key.count {
            if rest.starts(with: key) {
                let digits = rest.dropFirst(key.count).prefix { (48...57).contains($0) || $0 == 45 }
                return Int(String(decoding: digits, as: UTF8.self))
            }
            rest = rest.dropFirst()
        }
        return nil
    }
}
