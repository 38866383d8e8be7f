// SPDX-License-Identifier: Apache-2.0
import JSONRPC
import Testing

struct ErrorKindTests {
    @Test func `codes are the standard's or ours, each once`() {
        let codes = ErrorKind.allCases.map(\.code)
        #expect(Set(codes).count == codes.count)
        let standard: Set<ErrorKind> = [
            .parseError, .invalidRequest, .methodNotFound, .invalidParams, .internalError,
        ]
        for kind in ErrorKind.allCases {
            let range = standard.contains(kind) ? -32768 ... -32100 : -32099 ... -32000
            #expect(range.contains(kind.code), "\(kind)")
        }
    }

    /// Clients match on these: a change here breaks them.
    @Test func `words and codes stay as they are`() {
        let table = ErrorKind.allCases.map { "\($0.rawValue) \($0.code)" }
        #expect(
            table == [
                "parseError -32700", "invalidRequest -32600", "methodNotFound -32601",
                "invalidParams -32602", "internalError -32603", "unknownFeature -32000",
                "unknownInstance -32001", "unknownPort -32002", "unknownSubscription -32014",
                "unknownPlugin -32016",
                "badValue -32003", "clockIsReal -32004", "limit -32005", "pluginRefused -32006",
                "pluginFailed -32007", "denied -32008", "cursorExpired -32009",
                "cancelled -32011", "stopping -32012", "busy -32013", "unsupported -32015",
            ])
    }

    @Test func `an error carries what it knows and nothing else`() throws {
        let bare = RPCError(.busy)
        #expect(
            Self.text(bare)
                == #"{"code":-32013,"message":"somebody else is at it","data":{"kind":"busy"}}"#
        )
        let full = RPCError(
            .invalidParams, "m", detail: "d", pointer: "/p", expected: "e", suggestion: "s")
        #expect(
            Self.text(full)
                == #"{"code":-32602,"message":"m","data":{"kind":"invalidParams","detail":"d","pointer":"/p","expected":"e","suggestion":"s"}}"#
        )
        #expect(full.description == #"m: d at /p; expected e; did you mean "s"?"#)
    }

    private static func text(_ error: RPCError) -> String {
        var writer = JSONWriter()
        error.write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
