// SPDX-License-Identifier: Apache-2.0
import JSONRPC
import Testing

struct RouterTests {
    @Test func `an unknown method is answered with the nearest name`() throws {
        let error = try #require(try Front().answer(Request.call("daemon.pign", 1))[0]["error"])
        #expect(error["code"] == -32601)
        #expect(error["message"] == "Method not found")
        #expect(error["data"]?["suggestion"] == "daemon.ping")
        #expect(error["data"]?["detail"] == "no method is called \"daemon.pign\"")
    }

    @Test(arguments: [
        "", "daemon.pin", "daemon.pingg", "Daemon.ping", "daemon.ping\\u0000", "ping",
    ])
    func `a name is found only as a whole`(_ name: String) throws {
        #expect(try Front().answer(Request.call(name, 1))[0]["error"]?["code"] == -32601)
    }

    @Test func `a name of a megabyte is refused briefly`() throws {
        let front = Front()
        front.receive(Request.call(String(repeating: "m", count: 1_000_000), 1) + "\n")
        #expect(try #require(front.takeLines().first).utf8.count < 500)
    }

    @Test func `every method is found among many`() throws {
        let names: [StaticString] = [
            "daemon.hello", "daemon.ping", "daemon.status", "daemon.clients", "daemon.stop",
            "rpc.discover", "rpc.cancel", "plugin.list", "plugin.load", "plugin.reload",
            "plugin.retire", "feature.list", "feature.describe", "instance.open", "instance.close",
            "instance.list", "instance.inspect", "instance.send", "instance.read",
            "instance.await", "instance.record", "stream.subscribe", "stream.unsubscribe",
            "clock.now", "clock.next", "clock.advance", "clock.step", "clock.run", "a", "b", "",
        ]
        let router = Router<Front>(
            names.map { name in
                Method(name, level: .read, doc: "") { call, reply in
                    call.context.seen.append(name.description)
                    reply.succeed()
                }
            })
        let front = Front(router)
        for name in names { front.receive(Request.notify(name.description) + "\n") }
        #expect(front.seen == names.map(\.description))
        #expect(router.methods.map(\.name.description) == names.map(\.description))
    }
}
