// SPDX-License-Identifier: Apache-2.0

import MarbledTesting
import Scheduling
import Streams
import Testing

@testable import MarbledKit

@Suite struct HTTPEffectTests {
    private func text(_ request: HTTPRequest) throws -> String {
        var json = JSONText()
        try request.encode(into: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test func `a request says only what was said, and times in nanoseconds`() throws {
        #expect(
            try text(HTTPRequest(method: "GET", url: "http://h/"))
                == #"{"method":"GET","url":"http://h/"}"#)
        var full = HTTPRequest(
            method: "PUT", url: "http://h/", headers: ["a": "b"], body: "c", timeout: .seconds(2),
            connectTimeout: .milliseconds(5), redirects: 0)
        let json =
            #"{"body":"c","connectTimeout":5000000,"headers":{"a":"b"},"method":"PUT","redirects":0,"#
            + #""timeout":2000000000,"url":"http://h/"}"#
        #expect(try text(full) == json)
        #expect(full.timeout == .seconds(2) && full.connectTimeout == .milliseconds(5))
        var copy = json
        #expect(try copy.withUTF8 { try HTTPRequest.decode(UnsafeRawBufferPointer($0)) } == full)
        full.timeout = nil
        #expect(try !text(full).contains(#""timeout""#))
    }

    @Test func `a header is found whatever the case of its letters`() {
        let response = HTTPResponse(status: 200, headers: ["content-type": "a", "X-Y": "b"])
        #expect(response.header("Content-Type") == "a" && response.header("x-y") == "b")
        #expect(response.header("X-Y") == "b" && response.header("x") == nil)
        #expect(HTTPResponse(status: 200).header("x") == nil)
    }

    @Test func `a body has bytes, text or not`() {
        #expect(HTTPResponse(status: 200, body: "ü").bytes == [0xC3, 0xBC])
        #expect(HTTPResponse(status: 200, base64: "/wA=").bytes == [0xFF, 0x00])
        #expect(HTTPResponse(status: 200, base64: "no!").bytes.isEmpty)
        #expect(HTTPResponse(status: 200).bytes.isEmpty)
    }

    @Test(arguments: [
        (#"{"status":200,"headers":{"a":"b"},"url":"u"}"#, 1), (#"{"body":"x"}"#, 1),
        (#"{"base64":"/w=="}"#, 1), (#"{"status":200,"body":"x"}"#, 2),
        (#"{"status":200,"body":""}"#, 1), (#"{"body":""}"#, 0),
    ])
    func `a piece of an answer becomes what it holds`(_ json: String, _ count: Int) throws {
        var json = json
        #expect(
            try json.withUTF8 { try HTTPChunk.decode(UnsafeRawBufferPointer($0)) }.count == count)
    }

    @Test(arguments: ["{}", "5", "null", #"{"base64":"!"}"#, #"{"status":"x"}"#])
    func `what is no piece of an answer is refused`(_ json: String) {
        var json = json
        #expect(throws: PortValueError.self) {
            try json.withUTF8 { try HTTPChunk.decode(UnsafeRawBufferPointer($0)) }
        }
    }

    @Test func `a stub's whole answer is a stream of two pieces, asked as a stream`() throws {
        let scheduler = TestScheduler()
        let door = StubDoor(
            on: scheduler,
            stubs: [.http("*", reply: .text("all").after(20)), .http("*", reply: .fail("reset"))])
        let context = FeatureContext(door, on: scheduler)
        let seen = scheduler.createObserver(String.self)
        context.http.stream(HTTPRequest(method: "GET", url: "http://h/")).map { chunk in
            switch chunk {
            case .head(let head): "head \(head.status)"
            case .text(let text): text
            case .bytes(let bytes): "\(bytes)"
            }
        }.subscribe(seen)
        scheduler.start()
        expectEvents(seen.events, [.next(20, "head 200"), .next(20, "all"), .completed(20)])
        let call = try #require(door.calls(.http).first)
        #expect(call.description.contains(#""stream":true"#))
    }
}
