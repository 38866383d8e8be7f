// SPDX-License-Identifier: Apache-2.0

import MarbledKit
import Testing

@Suite("Reading an HTTP answer")
struct HTTPResponseTests {
    @Test(arguments: [(199, false), (200, true), (204, true), (299, true), (300, false)])
    func `a success is a status from 200 to 299`(_ status: Int, _ isSuccess: Bool) {
        #expect(HTTPResponse(status: status).isSuccess == isSuccess)
    }

    @Test func `upper and lower case are the same in a header's name`() {
        let answer = HTTPResponse(status: 200, headers: ["retry-After": "5", "Other": "6"])
        #expect(answer.header("Retry-After") == "5")
        #expect(answer.header("RETRY-AFTER") == "5")
        #expect(answer.header("Retry") == nil)
        #expect(HTTPResponse(status: 200).header("Other") == nil)
    }

    @Test func `a header that is given in two spellings is read alike in every run`() {
        let headers = ["ETAG": "a", "ETag": "b", "Etag": "c", "etag": "d"]
        #expect(HTTPResponse(status: 200, headers: headers).header("etag") == "a")
    }

    @Test func `a body is read as a value, with space around it`() throws {
        #expect(try HTTPResponse(status: 200, body: "[1, 2]").json(as: [Int].self) == [1, 2])
        #expect(try HTTPResponse(status: 200, body: " 7\r\n").json(as: Int.self) == 7)
        #expect(try HTTPResponse(status: 200, body: "\"a\"\n").json(as: String.self) == "a")
    }

    @Test(arguments: [nil, "", " \n", "[1", "{}", "1 2"])
    func `a body that is no such value is refused`(_ body: String?) {
        #expect(throws: PortValueError.self) {
            try HTTPResponse(status: 200, body: body).json(as: [Int].self)
        }
    }
}
