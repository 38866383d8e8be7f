# SPDX-License-Identifier: Apache-2.0
"""The Python client against the real daemon that `$MARBLED_SOCKET` names; it has the plugin find-number.

What the daemon does is tested elsewhere. Here it is whether the client says it rightly: each verb once,
what ends a stream, what runs out of time, and what each error carries.
"""

import datetime
import os
import socket
import threading
import unittest

import marbled


class ClientTest(unittest.TestCase):
    def setUp(self):
        # Far longer than a test may take: what is to run out of time says so itself.
        self.daemon = marbled.connect(timeout=600)
        self.addCleanup(self.daemon.close)

    def game(self, **more):
        return self.daemon.open("find-number", clock="virtual", seed=3, **more)


class InstanceTests(ClientTest):
    def test_a_round_in_virtual_time(self):
        game = self.game()
        self.assertEqual(game.first["round"], 1)
        game.send("checkNumber", 1, at="10ms")
        progress = game.advance("1s")
        self.assertEqual((progress["now"], progress["idle"]), (1_000_000_000, True))
        self.assertEqual(game.state("round"), 2)
        self.assertEqual(game.now, 1_000_000_000)

    def test_times_of_each_kind(self):
        game = self.game()
        game.send("resetStage", at=datetime.timedelta(milliseconds=3))
        game.send("resetStage", after=5)
        game.advance_to("4ms")
        self.assertEqual(
            [event["at"] for event in game.record() if event["port"] == "resetStage"],
            [5, 3_000_000])

    def test_what_a_value_causes(self):
        caused = self.game().cause("checkNumber", 9)
        self.assertEqual(
            [(event["port"], event["value"]) for event in caused if event["kind"] == "output"],
            [("round", 1), ("currentRecord", 0)])

    def test_steps_and_runs(self):
        game = self.game()
        game.run()
        game.send("resetStage", at=10)
        game.send("resetStage", at=20)
        self.assertEqual(game.step()["now"], 10)
        self.assertEqual(game.run()["now"], 20)

    def test_waiting_drives_the_clock(self):
        game = self.game()
        game.send("resetStage", at="10ms")
        awaited = game.wait("round", 2, timeout="1s")
        self.assertEqual([value["at"] for value in awaited["values"]], [0, 10_000_000])
        self.assertEqual(game.wait("round", 2, timeout="1s")["ended"], "timeout")

    def test_an_instance_goes_with_its_connection_unless_kept(self):
        with marbled.connect() as other:
            brief = other.open("find-number", clock="virtual", name="brief")
            other.open("find-number", clock="virtual", name="kept", keep=True)
            opened = {"instance": brief.name, "now": 0, "outputs": {}}
            rounds = marbled.Instance(self.daemon, opened).stream("round")
        # Ends with the instance.
        self.assertEqual(len(list(rounds)), 1)
        names = [entry["instance"] for entry in self.daemon.instance_list()["instances"]]
        self.assertNotIn("brief", names)
        self.assertIn("kept", names)
        self.daemon.instance_close("kept")

    def test_a_with_block_closes(self):
        with self.game(name="blocked") as game:
            self.assertEqual(game.inspect()["clock"], "virtual")
        with self.assertRaises(marbled.RPCError) as caught:
            game.state("round")
        self.assertEqual(caught.exception.kind, "unknownInstance")

    def test_stubs(self):
        game = self.game(
            options={"source": "http"},
            stubs=[{"http": "*", "reply": {"status": 200, "json": [7], "after": "50ms"}}])
        game.send("gameStart")
        game.advance("50ms")
        self.assertEqual(game.state("target"), 7)


class StreamTests(ClientTest):
    def test_values_in_order(self):
        game = self.game()
        rounds = game.stream("round")
        game.send("checkNumber", 1)
        game.send("checkNumber", 9)
        self.assertEqual(rounds.values(), [1, 2, 1])
        self.assertEqual(rounds.values(), [])

    def test_streams_do_not_mix(self):
        game = self.game()
        rounds, targets = game.stream("round"), game.stream("target")
        game.send("resetStage")
        self.assertEqual({event["output"] for event in targets.take()}, {"target"})
        self.assertEqual({event["output"] for event in rounds.take()}, {"round"})

    def test_iteration_ends_with_the_instance_and_tells_why(self):
        game = self.game()
        rounds = game.stream("round")
        game.close()
        self.assertEqual([event["value"] for event in rounds], [1])
        self.assertEqual(rounds.reason, "the instance was closed")

    def test_iteration_runs_out_of_time(self):
        rounds = self.game().stream("round", timeout=0.01)
        self.assertEqual(next(rounds)["value"], 1)
        with self.assertRaises(marbled.Timeout):
            next(rounds)
        self.assertEqual(self.daemon.daemon_ping(), {})

    def test_resuming_on_another_connection(self):
        game = self.game(name="resumed")
        with game.stream("round") as rounds:
            game.send("checkNumber", 1)
            self.assertEqual(rounds.values(), [1, 2])
            cursor = rounds.cursor
        game.send("checkNumber", 9)
        with marbled.connect() as other:
            opened = {"instance": "resumed", "now": 0, "outputs": {}}
            again = marbled.Instance(other, opened).stream("round", since=cursor)
            self.assertFalse(again.was_reset)
            self.assertEqual(again.values(), [1])
            lost = marbled.Instance(other, opened).stream("round", since="gone:1")
            self.assertTrue(lost.was_reset)

    def test_after_closing_nothing_comes(self):
        game = self.game()
        rounds = game.stream("round")
        rounds.close()
        game.send("checkNumber", 1)
        self.assertEqual(rounds.take(), [])
        self.assertEqual(list(rounds), [])


class ErrorTests(ClientTest):
    def test_an_error_carries_all_that_the_daemon_said(self):
        with self.assertRaises(marbled.RPCError) as caught:
            self.game().state("rund")
        error = caught.exception
        self.assertEqual((error.kind, error.code), ("unknownPort", -32002))
        self.assertEqual((error.pointer, error.suggestion), ("/output", "round"))
        self.assertIn('did you mean "round"?', str(error))

    def test_nobody_there(self):
        with self.assertRaises(marbled.CannotConnect) as caught:
            marbled.connect("/nonexistent/marbled.sock")
        self.assertIn("/nonexistent/marbled.sock", str(caught.exception))


class FakeDaemon:
    """A listener that says what a test gives it, for what a real daemon does not do."""

    def __init__(self, test, said, hangs_up=False):
        self.path = f"{os.environ['MARBLED_SOCKET']}.{test.id().rsplit('.', 1)[1][:24]}"
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind(self.path)
        listener.listen()
        self.end = None

        def serve():
            self.end, _ = listener.accept()
            self.end.sendall(said)
            if hangs_up:
                self.end.close()

        thread = threading.Thread(target=serve)
        thread.start()

        def finish():
            thread.join()
            self.end.close()
            listener.close()
            os.unlink(self.path)

        test.addCleanup(finish)


class ConnectionTests(unittest.TestCase):
    def connect(self, said, hangs_up=False):
        client = marbled.connect(FakeDaemon(self, said, hangs_up).path, timeout=5)
        self.addCleanup(client.close)
        return client

    def test_silence(self):
        client = self.connect(b"")
        with self.assertRaises(marbled.Timeout):
            client.daemon_ping(within=0.01)

    def test_an_answer_that_nobody_waits_for_is_dropped(self):
        client = self.connect(
            b'{"jsonrpc":"2.0","result":{"stray":1},"id":2}\n'
            b'{"jsonrpc":"2.0","result":{},"id":1}\n{"jsonrpc":"2.0","result":{},"id":2}\n')
        self.assertEqual(client.daemon_ping(), {})
        self.assertEqual(client.daemon_ping(), {})

    def test_no_json(self):
        with self.assertRaises(marbled.NotUnderstood):
            self.connect(b"HTTP/1.1 400\n").daemon_ping()

    def test_half_a_line_and_the_end(self):
        with self.assertRaises(marbled.Closed):
            self.connect(b'{"jsonrpc"', hangs_up=True).daemon_ping()

    def test_refused(self):
        with self.assertRaisesRegex(marbled.RPCError, "too many"):
            self.connect(
                b'{"jsonrpc":"2.0","error":{"code":-32000,"message":"too many",'
                b'"data":{"kind":"limit"}},"id":null}\n'
            ).daemon_ping()

    def test_lost_events_are_told_and_the_stream_goes_on(self):
        client = self.connect(
            b'{"jsonrpc":"2.0","result":{"subscription":"s1","cursor":"e:1"},"id":1}\n'
            b'{"jsonrpc":"2.0","method":"stream.gap","params":'
            b'{"subscription":"s1","from":"e:1","to":"e:4","count":3}}\n'
            b'{"jsonrpc":"2.0","method":"stream.event","params":{"subscription":"s1",'
            b'"cursor":"e:5","at":0,"output":"x","event":"next","value":9}}\n')
        stream = marbled.Instance(client, {"instance": "i", "now": 0, "outputs": {}}).stream("x")
        with self.assertRaises(marbled.Lost) as caught:
            next(stream)
        self.assertEqual((caught.exception.count, stream.cursor), (3, "e:4"))
        self.assertEqual(next(stream)["value"], 9)

    def test_a_quiet_output_moves_the_cursor_on_and_makes_no_wait_longer(self):
        client = self.connect(
            b'{"jsonrpc":"2.0","result":{"subscription":"s1","cursor":"e:1"},"id":1}\n'
            + b"".join(
                b'{"jsonrpc":"2.0","method":"stream.bookmark","params":'
                b'{"subscription":"s1","cursor":"e:%d"}}\n' % number
                for number in range(2, 9)))
        instance = marbled.Instance(client, {"instance": "i", "now": 0, "outputs": {}})
        stream = instance.stream("x", timeout=0.05)
        with self.assertRaises(marbled.Timeout):
            next(stream)
        self.assertEqual(stream.cursor, "e:8")


if __name__ == "__main__":
    unittest.main()
