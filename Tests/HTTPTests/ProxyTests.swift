// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import LoopbackServer
import Testing

@testable import HTTP

@Suite struct ProxyTests {
    @Test func `http goes through the proxy that the environment names`() throws {
        let proxy = try LoopbackServer.answering { answer(body: "for \($0.target)") }
        var settings = HTTPClient.Settings()
        settings.environment = ["http_proxy": "http://user:pass@127.0.0.1:\(proxy.port)"]
        let asked = try ClientLab(settings).answer(["url": "http://far.invalid/x?y=z"])
        #expect(asked.text == "for http://far.invalid/x?y=z")
        #expect(proxy.requests.first?.header("proxy-authorization") == "Basic dXNlcjpwYXNz")
    }

    @Test func `hosts that are excepted are asked directly`() throws {
        let server = try LoopbackServer.answering { _ in answer(body: "direct") }
        let proxy = try LoopbackServer.answering { _ in answer(body: "proxy") }
        var settings = HTTPClient.Settings()
        settings.environment = ["http_proxy": proxy.url(), "no_proxy": "other,127.0.0.1"]
        #expect(try ClientLab(settings).answer(["url": .string(server.url())]).text == "direct")
    }

    @Test func `https asks the proxy for a tunnel, and its refusal is the proxy's`() throws {
        let proxy = try LoopbackServer.answering { _ in answer(403) }
        var settings = HTTPClient.Settings()
        settings.environment = ["HTTPS_PROXY": proxy.url()]
        let error = try ClientLab(settings).answer([
            "url": "https://far.invalid/", "headers": ["authorization": "s3cret"],
        ]).error
        #expect(error?.kind == .proxy && error?.message.contains("403") == true)
        let request = try #require(proxy.requests.first)
        #expect(request.method == "CONNECT" && request.target == "far.invalid:443")
        #expect(request.header("authorization") == nil)
    }

    @Test func `a proxy whose name is not known`() throws {
        var settings = HTTPClient.Settings()
        settings.environment = ["http_proxy": "http://proxy.invalid:3128"]
        let error = try ClientLab(settings).answer(["url": "http://127.0.0.1/"]).error
        #expect(error?.kind == .proxy && error?.message.contains("http_proxy") == true)
    }

    @Test func `which variable counts for what`() {
        func proxies(_ environment: [String: String]) -> [String] {
            let proxies = Proxies(environment: environment)
            return [proxies.proxy(for: "http"), proxies.proxy(for: "https"), proxies.exceptions]
        }
        #expect(proxies([:]) == ["", "", ""])
        #expect(proxies(["http_proxy": "a", "https_proxy": "b"]) == ["a", "b", ""])
        #expect(proxies(["ALL_PROXY": "c", "NO_PROXY": "d"]) == ["c", "c", "d"])
        #expect(proxies(["all_proxy": "c", "https_proxy": ""]) == ["c", "c", ""])
        // A web server makes HTTP_PROXY of a header that anybody can send.
        #expect(proxies(["HTTP_PROXY": "evil"]) == ["", "", ""])
    }
}
