// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing

@testable import EventLoop

@Suite struct WakeupTests {
    private final class Record {
        var jobs: [(thread: Int, number: Int)] = []
    }

    @Test func `eight threads with a thousand jobs each lose none, and each keeps its order`()
        throws
    {
        try withLoop { loop in
            let record = Record()
            let home = LoopBound(record)
            let wakeup = loop.wakeup
            let threads = (0..<8).map { thread in
                OtherThread {
                    for number in 0..<1000 {
                        wakeup.enqueue { home.value.jobs.append((thread, number)) }
                    }
                }
            }
            loop.turn { record.jobs.count == 8000 }
            threads.forEach { $0.join() }
            for thread in 0..<8 {
                let numbers = record.jobs.filter { $0.thread == thread }.map(\.number)
                #expect(numbers == Array(0..<1000))
            }
        }
    }

    @Test func `a job that enqueues another lets the loop turn between them`() throws {
        try withLoop { loop in
            let jobs = LoopBound(Record())
            let wakeup = loop.wakeup
            wakeup.enqueue {
                jobs.value.jobs.append((0, 0))
                wakeup.enqueue { jobs.value.jobs.append((0, 1)) }
            }
            loop.turn()
            #expect(jobs.value.jobs.count == 1)
            loop.turn { jobs.value.jobs.count == 2 }
        }
    }

    @Test func `every job that was accepted runs, also when the loop closes meanwhile`() throws {
        let loop = try EventLoop()
        let wakeup = loop.wakeup
        let counts = Counts()
        let threads = (0..<4).map { _ in
            OtherThread {
                while wakeup.enqueue({ counts.ran.add(1, ordering: .relaxed) }) {
                    counts.accepted.add(1, ordering: .relaxed)
                }
            }
        }
        loop.turn { counts.ran.load(ordering: .relaxed) > 100 }
        loop.close()
        threads.forEach { $0.join() }
        #expect(counts.ran.load(ordering: .relaxed) == counts.accepted.load(ordering: .relaxed))
    }

    private final class Counts: Sendable {
        let ran = Atomic(0)
        let accepted = Atomic(0)
    }

    @Test func `a value of the loop's thread that is opened elsewhere stops the program`() async {
        await #expect(processExitsWith: .failure) {
            let home = LoopBound(1)
            OtherThread { _ = home.value }.join()
        }
    }
}
