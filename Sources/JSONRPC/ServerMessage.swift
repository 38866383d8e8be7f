// SPDX-License-Identifier: Apache-2.0

/// A line from a server, as a client reads it. Borrowed: valid as long as the frame is.
package enum ServerMessage {
    /// A call went well.
    case result(id: Int64, RawJSON)
    /// A call failed; without an id the server could not tell which.
    case error(id: Int64?, RawJSON)
    /// Nobody asked for this.
    case notification(method: RawString, params: RawJSON?)

    /// Reads one line; throws `.syntax` where it is JSON, but no answer to an integer id.
    package init(_ frame: Frame, validator: JSONValidator) throws(JSONFault) {
        if let fault = validator.validate(padded: frame.bytes) { throw fault }
        let message = RawJSON(validated: frame.bytes)
        let id = message.member("id")
        if let method = message.member("method")?.rawString, id == nil {
            self = .notification(method: method, params: message.member("params"))
        } else if let result = message.member("result"), let id = id?.int64 {
            self = .result(id: id, result)
        } else if let error = message.member("error"), error.kind == .object {
            self = .error(id: id?.int64, error)
        } else {
            throw .syntax
        }
    }
}
