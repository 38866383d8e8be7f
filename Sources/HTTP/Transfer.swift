// SPDX-License-Identifier: Apache-2.0

internal import CCurl
internal import JSONRPC

/// One request on its way through libcurl, and what came of its answer so far.
///
/// libcurl's callbacks only gather: nobody may be told anything from inside them, since whoever is told
/// may end the transfer. `CurlMulti` tells the owner, through `onMove`, once libcurl is left.
///
/// Loop-confined. Owns the handle of libcurl; `CurlMulti` keeps it alive while libcurl knows it.
final class Transfer {
    let call: HTTPCall
    let easy: UnsafeMutableRawPointer
    /// Called on the loop when there is something new here.
    var onMove: () -> Void = {}
    /// Called from inside libcurl when there is something new.
    var onTouch: () -> Void = {}
    /// Whether the connection stands and the request goes out.
    private(set) var isConnected = false
    /// How it ended, once it has.
    var result: CURLcode?
    /// Why it was ended from this side, if it was.
    private(set) var refusal: HTTPError?

    private let limits: HTTPLimits
    private var reader = HTTPHeadReader()
    private var received: [UInt8] = []
    private var count = 0
    private var list: UnsafeMutablePointer<curl_slist>?

    /// A transfer that does not run yet.
    init(_ call: HTTPCall, settings: HTTPClient.Settings, proxies: Proxies) throws(HTTPError) {
        guard let easy = marbled_easy_init() else {
            throw HTTPError(.failed, of: call, "there is no memory for it")
        }
        self.call = call
        self.easy = easy
        limits = settings.limits
        try prepare(settings, proxies)
    }

    deinit {
        marbled_easy_cleanup(easy)
        marbled_slist_free(list)
    }

    // MARK: What came

    /// The answer's head, once it is complete.
    var head: HTTPHead? { reader.head }

    /// What came of the body since the last time.
    func takeBody() -> [UInt8] {
        defer { received = [] }
        return received
    }

    /// How it failed, or nil when it did not.
    func failure() -> HTTPError? {
        if let refusal { return refusal }
        guard let result else { return nil }
        guard result == CURLE_OK else { return HTTPError(result, of: call, on: easy) }
        // libcurl calls it a success when a connection ends in the middle of a head.
        return head == nil
            ? HTTPError(.reset, of: call, "the connection ended before the answer's head did") : nil
    }

    private func take(line: UnsafeRawBufferPointer) -> Bool {
        reader.take(line)
        onTouch()
        guard reader.bytes <= limits.headBytes else {
            let most = limits.headBytes
            refusal = HTTPError(
                .tooLarge, of: call,
                "the answer's head has more than \(most) bytes (limits.httpHeadBytes)")
            return false
        }
        return true
    }

    private func take(body bytes: UnsafeRawBufferPointer) -> Bool {
        count += bytes.count
        onTouch()
        // A redirect's body is read, for the connection's sake, and dropped.
        let isDropped = head.map { Redirect.isMeant($0, by: call) } ?? false
        if !isDropped { received.append(contentsOf: bytes) }
        guard count <= limits.bodyBytes || (call.isStream && !isDropped) else {
            let most = limits.bodyBytes
            refusal = HTTPError(
                .tooLarge, of: call,
                "the answer has more than \(most) bytes (limits.httpBodyBytes); ask for less, or for"
                    + " a stream")
            return false
        }
        return true
    }

    private func connected() {
        isConnected = true
        onTouch()
    }

    // MARK: Preparing

    private func prepare(_ settings: HTTPClient.Settings, _ proxies: Proxies) throws(HTTPError) {
        try set(CURLOPT_URL, call.address.text)
        try set(CURLOPT_PROTOCOLS_STR, "http,https")
        try set(CURLOPT_NOSIGNAL, 1)
        // A look-up that nobody waits for goes on in its own thread: joining it would hold the loop.
        try set(CURLOPT_QUICK_EXIT, 1)
        // The timers are the instance's; libcurl's own, of five minutes, is put off for ever.
        try set(CURLOPT_CONNECTTIMEOUT_MS, Int(Int32.max))
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        try set(CURLOPT_USERAGENT, "marbled/\(MarbledVersion.current)")
        // Said also when empty: libcurl would look into the environment.
        try set(CURLOPT_PROXY, proxies.proxy(for: call.address.scheme))
        try set(CURLOPT_NOPROXY, proxies.exceptions)
        // Beside the system's: libcurl looks into its folder all the same.
        if let authorities = settings.authorities { try set(CURLOPT_CAINFO, authorities) }
        try prepareMessage()
        try check(
            marbled_easy_set_receivers(
                easy,
                { bytes, size, count, data in
                    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
                    return Transfer.recover(data).take(line: line) ? size * count : 0
                },
                { bytes, size, count, data in
                    let body = UnsafeRawBufferPointer(start: bytes, count: size * count)
                    // Another number than the given one ends the transfer, also where none came.
                    return Transfer.recover(data).take(body: body) ? size * count : size * count + 1
                },
                { data, _, _, _, _ in
                    Transfer.recover(data).connected()
                    return CInt(CURL_PREREQFUNC_OK)
                },
                Unmanaged.passUnretained(self).toOpaque()))
    }

    private func prepareMessage() throws(HTTPError) {
        var body = call.body
        if body == nil, ["POST", "PUT", "PATCH"].contains(call.method) { body = [] }
        if call.method == "HEAD" {
            try set(CURLOPT_NOBODY, 1)
        } else if let body {
            try check(
                marbled_easy_set_size(
                    easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)))
            // One byte more, so that there is an address also where there is no body.
            let code = (body + [0]).withUnsafeBytes {
                marbled_easy_set_bytes(easy, CURLOPT_COPYPOSTFIELDS, $0.baseAddress)
            }
            try check(code)
        }
        if call.method != "HEAD", call.method != "GET" || body != nil {
            try set(CURLOPT_CUSTOMREQUEST, call.method)
        }
        for field in call.fields {
            // To libcurl a name with nothing behind it means: not this field.
            append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        // What libcurl would say by itself: that a body is a form, and that it waits to be let.
        append("Expect:")
        if !call.fields.contains(where: { $0.isNamed("content-type") }) { append("Content-Type:") }
        try check(marbled_easy_set_list(easy, CURLOPT_HTTPHEADER, list))
    }

    private func append(_ line: String) {
        list = marbled_slist_append(list, line)
    }

    private func set(_ option: CURLoption, _ value: Int) throws(HTTPError) {
        try check(marbled_easy_set_long(easy, option, value))
    }

    private func set(_ option: CURLoption, _ value: String) throws(HTTPError) {
        try check(marbled_easy_set_string(easy, option, value))
    }

    private func check(_ code: CURLcode) throws(HTTPError) {
        guard code != CURLE_OK else { return }
        throw HTTPError(
            .failed, of: call,
            "libcurl refused a setting: \(String(cString: marbled_easy_strerror(code)))")
    }

    private static func recover(_ data: UnsafeMutableRawPointer?) -> Transfer {
        guard let data else { preconditionFailure("libcurl called back for no transfer") }
        return Unmanaged<Transfer>.fromOpaque(data).takeUnretainedValue()
    }
}
