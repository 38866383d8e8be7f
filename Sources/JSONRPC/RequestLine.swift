// SPDX-License-Identifier: Apache-2.0

/// Lines that nobody asked for: a client's requests, a server's notifications.
extension JSONWriter {
    /// Appends a request line; `params` writes one object.
    package mutating func request(
        id: Int64, method: String, params: ((inout JSONWriter) -> Void)? = nil
    ) {
        append("{\"jsonrpc\":\"2.0\",\"id\":")
        append(id)
        append(",\"method\":")
        append(string: method)
        endLine(params)
    }

    /// Appends a request line with parameters that exist already.
    package mutating func request(id: Int64, method: String, params: JSONValue) {
        request(id: id, method: method) { params.write(to: &$0) }
    }

    /// Appends a notification line; `params` writes one object.
    package mutating func notification(
        method: StaticString, params: ((inout JSONWriter) -> Void)? = nil
    ) {
        append("{\"jsonrpc\":\"2.0\",\"method\":\"")
        append(method)
        append("\"")
        endLine(params)
    }

    private mutating func endLine(_ params: ((inout JSONWriter) -> Void)?) {
        if let params {
            append(",\"params\":")
            params(&self)
        }
        append("}\n")
    }
}
