// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import LoopbackServer
import Testing

@testable import HTTP

@Suite struct TLSTests {
    @Test func `a certificate of an authority that is named is trusted, and else it is not`() throws
    {
        let lab = try TLSLab(pages: ["page": answer(body: "safe")])
        var settings = HTTPClient.Settings()
        settings.authorities = lab.authority
        // A client each: this server takes the next connection when the one before has been closed.
        #expect(try ClientLab(settings).answer(["url": .string(lab.url("/page"))]).text == "safe")

        let error = try ClientLab().answer(["url": .string(lab.url("/page"))]).error
        #expect(error?.kind == .tls)
        #expect(error?.message.contains("http.authorities") == true, "\(error?.message ?? "")")

        // The right authority, and another name than the certificate's.
        let other = lab.url("/page").replacing("127.0.0.1", with: "localhost")
        #expect(try ClientLab(settings).answer(["url": .string(other)]).error?.kind == .tls)
    }

    @Test func `a redirect from https to http is not followed`() throws {
        let open = try LoopbackServer.answering { _ in answer(body: "open to all") }
        let lab = try TLSLab(pages: ["away": answer(302, [("Location", open.url())])])
        var settings = HTTPClient.Settings()
        settings.authorities = lab.authority
        let asked = try ClientLab(settings).answer(["url": .string(lab.url("/away"))])
        #expect(asked.error?.kind == .redirect && open.connections == 0, "\(asked.events)")
    }

    @Test func `a server that speaks no TLS, and authorities that are none`() throws {
        let server = try LoopbackServer { connection in
            connection.write(answer(400))
            connection.waitForEnd()
        }
        let url = JSONValue.string(server.url().replacing("http:", with: "https:"))
        #expect(try ClientLab().answer(["url": url]).error?.kind == .tls)
        var settings = HTTPClient.Settings()
        settings.authorities = "/nonexistent.pem"
        #expect(try ClientLab(settings).answer(["url": url]).error?.kind == .tls)
    }
}
