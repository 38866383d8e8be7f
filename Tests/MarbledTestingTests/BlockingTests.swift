// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MarbledTesting
import Scheduling
import Streams
import Testing

@Suite struct BlockingTests {
    /// `values`, then silence for ever.
    private func stuck(_ values: Int...) -> Observable<Int> {
        Observable.from(values).concat(Observable.never())
    }

    /// `values`, then an error.
    private func failing(_ values: Int...) -> Observable<Int> {
        Observable.from(values).concat(Observable.error(Boom()))
    }

    private let soon = Duration.milliseconds(2)

    // MARK: toArray

    @Test(arguments: [[], [42], [42, 43, 44, 45]])
    func `an array of all that came`(_ values: [Int]) throws {
        #expect(try Observable.from(values).toBlocking().toArray() == values)
    }

    @Test func `an array loses nothing to an error`() {
        let error = #expect(throws: BlockingError<Int>.self) {
            try failing(42, 43).toBlocking().toArray()
        }
        #expect(error?.cause is Boom)
        #expect(error?.values == [42, 43])
        #expect(error.map { "\($0)" } == "Boom(); 2 values came before: [42, 43]")
    }

    @Test func `an array loses nothing when time is up`() {
        let error = #expect(throws: BlockingError<Int>.self) {
            try stuck(1, 2).toBlocking(timeout: soon).toArray()
        }
        #expect(error?.isTimeout == true)
        #expect(error?.cause as? TimeoutError == TimeoutError(dueTime: soon))
        #expect(error?.values == [1, 2])
        #expect(
            error.map { "\($0)" }
                == "nothing came within \(soon); 2 values came before: [1, 2]")
    }

    // MARK: first

    @Test func `the first value, without waiting for the next`() throws {
        #expect(try Observable<Int>.empty().toBlocking().first() == nil)
        #expect(try Observable.just(42).toBlocking().first() == 42)
        #expect(try stuck(42).toBlocking().first() == 42)
        // The error that would follow is never seen: the source has been given up.
        #expect(try failing(42).toBlocking().first() == 42)
    }

    @Test func `the first value gives the source up at once`() throws {
        var log: [String] = []
        let source = Observable<Int>.create { observer in
            observer.onNext(1)
            log.append("sent")
            observer.onNext(2)
            return Disposables.create { log.append("given up") }
        }.do(onNext: { log.append("\($0)") })
        #expect(try source.toBlocking().first() == 1)
        #expect(log.first == "1" && log.last == "given up" && !log.contains("2"))
    }

    @Test func `no first value before an error or the end of time`() {
        let failed = #expect(throws: BlockingError<Int>.self) { try failing().toBlocking().first() }
        #expect(failed?.cause is Boom && failed?.values == [])
        let late = #expect(throws: BlockingError<Int>.self) {
            try stuck().toBlocking(timeout: soon).first()
        }
        #expect(late?.isTimeout == true && late?.values == [])
        #expect(late.map { "\($0)".hasSuffix("; no value came before") } == true)
    }

    // MARK: last

    @Test func `the last value, at the end`() throws {
        #expect(try Observable<Int>.empty().toBlocking().last() == nil)
        #expect(try Observable.from([42, 43, 44]).toBlocking().last() == 44)
        let failed = #expect(throws: BlockingError<Int>.self) { try failing(7).toBlocking().last() }
        #expect(failed?.cause is Boom && failed?.values == [7])
        #expect(failed.map { "\($0)" } == "Boom(); one value came before: 7")
        let late = #expect(throws: BlockingError<Int>.self) {
            try stuck(7).toBlocking(timeout: soon).last()
        }
        #expect(late?.isTimeout == true && late?.values == [7])
    }

    // MARK: single

    @Test func `a single value`() throws {
        #expect(try Observable.just(42).toBlocking().single() == 42)
        let none = #expect(throws: BlockingError<Int>.self) {
            try Observable<Int>.empty().toBlocking().single()
        }
        #expect(none?.cause as? StreamError == .noElements)
        let failed = #expect(throws: BlockingError<Int>.self) {
            try failing(42).toBlocking().single()
        }
        #expect(failed?.cause is Boom && failed?.values == [42])
        let late = #expect(throws: BlockingError<Int>.self) {
            try stuck(42).toBlocking(timeout: soon).single()
        }
        #expect(late?.isTimeout == true && late?.values == [42])
    }

    @Test func `a second value is one too many, and is not waited behind`() {
        let error = #expect(throws: BlockingError<Int>.self) {
            try stuck(42, 43, 44).toBlocking().single()
        }
        #expect(error?.cause as? StreamError == .moreThanOneElement)
        #expect(error?.values == [42, 43])
    }

    @Test(arguments: [
        ([42, 43, 44], 43, [42, 43, 44]), ([42, 43], 44, [42, 43]), ([], 1, []),
        ([43, 42, 43, 44], 43, [43, 42, 43]),
    ])
    func `a single value that matches`(_ values: [Int], _ wanted: Int, _ expected: [Int]) {
        var seen: [Int] = []
        let result = Result {
            try Observable.from(values).toBlocking().single {
                seen.append($0)
                return $0 == wanted
            }
        }
        #expect(seen == expected)
        switch values.count(where: { $0 == wanted }) {
        case 1: #expect((try? result.get()) == wanted)
        case let count:
            let error = #expect(throws: BlockingError<Int>.self) { try result.get() }
            #expect(
                error?.cause as? StreamError == (count == 0 ? .noElements : .moreThanOneElement))
            #expect(error?.values == expected)
        }
    }

    @Test func `what a predicate throws ends the read`() {
        var seen: [Int] = []
        let error = #expect(throws: BlockingError<Int>.self) {
            try stuck(42, 43, 44).toBlocking().single {
                seen.append($0)
                if $0 == 43 { throw Boom() }
                return false
            }
        }
        #expect(error?.cause is Boom && error?.values == [42, 43] && seen == [42, 43])
    }

    // MARK: materialize

    @Test func `all of it, however it ended`() {
        #expect(Observable<Int>.empty().toBlocking().materialize() == .completed(elements: []))
        #expect(
            Observable.from([42, 43]).toBlocking().materialize() == .completed(elements: [42, 43]))
        #expect(
            failing().toBlocking().materialize() == .failed(elements: [], error: Boom()))
        #expect(
            failing(42, 43).toBlocking().materialize()
                == .failed(elements: [42, 43], error: Boom()))
        #expect(
            stuck(42).toBlocking(timeout: soon).materialize()
                == .failed(elements: [42], error: TimeoutError(dueTime: soon)))
    }

    // MARK: Time

    @Test func `time operators run on the read's own timeline`() throws {
        let source = Observable<Int>.interval(.microseconds(200)).take(3)
            .delay(.microseconds(100))
        #expect(try source.toBlocking().toArray() == [0, 1, 2])
        // Also beneath a test scheduler, whose clock does not move meanwhile.
        let scheduler = TestScheduler()
        #expect(try source.toBlocking().last() == 2)
        #expect(scheduler.clock == 0)
    }

    @Test func `a timer on a virtual clock only lets time run out`() {
        let scheduler = TestScheduler()
        let source = Observable<Int>.timer(.milliseconds(1), scheduler: scheduler)
        #expect(
            source.toBlocking(timeout: soon).materialize()
                == .failed(elements: [], error: TimeoutError(dueTime: soon)))
    }

    @Test func `no time at all is enough for a source that speaks at once`() throws {
        #expect(try Observable.from([1, 2, 3]).toBlocking(timeout: .zero).toArray() == [1, 2, 3])
        #expect(
            stuck(1).toBlocking(timeout: .zero).materialize()
                == .failed(elements: [1], error: TimeoutError(dueTime: .zero)))
    }

    @Test func `a source without an end ends the read`() {
        let error = #expect(throws: BlockingError<Int>.self) {
            try Observable.repeatElement(1).toBlocking().toArray()
        }
        #expect((error?.cause as? TooManyElements)?.limit == 1_000_000)
        #expect(error?.values.count == 1_000_000)
        #expect(error.map { "\($0)".count < 300 } == true)
    }

    @Test func `work that makes itself again without a delay does not outlive the deadline`() {
        func spin() -> Observable<Int> {
            Observable<Int>.timer(.zero).flatMap { _ in spin() }
        }
        #expect(
            spin().toBlocking(timeout: soon).materialize()
                == .failed(elements: [], error: TimeoutError(dueTime: soon)))
    }

    @Test func `other threads send their work in`() throws {
        let source = Observable<Int>.create { observer in
            let mailbox = (CurrentScheduler.scheduler as? BlockingScheduler)?.mailbox
            // Used on the thread of the read alone.
            nonisolated(unsafe) let observer = observer
            DispatchQueue.global().async {
                for value in 1...3 { mailbox?.send { observer.onNext(value) } }
                mailbox?.send { observer.onCompleted() }
            }
            return Disposables.create()
        }
        #expect(try source.toBlocking().toArray() == [1, 2, 3])
    }

    @Test func `async tasks of the timeline go on, woken from elsewhere`() throws {
        let source = Observable<Int>.create { observer in
            let scheduler = CurrentScheduler.scheduler
            let task = scheduler?.task("answer") {
                let value = await withCheckedContinuation { answer in
                    DispatchQueue.global().async { answer.resume(returning: 42) }
                }
                #expect(CurrentScheduler.scheduler === scheduler)
                observer.onNext(value)
                observer.onCompleted()
            }
            return Disposables.create { task?.cancel() }
        }
        #expect(try source.toBlocking().toArray() == [42])
    }

    @Test func `a read that is over takes nothing more`() throws {
        var mailbox: BlockingMailbox?
        let source = Observable<Int>.create { observer in
            mailbox = (CurrentScheduler.scheduler as? BlockingScheduler)?.mailbox
            observer.onCompleted()
            return Disposables.create()
        }
        #expect(try source.toBlocking().toArray() == [])
        #expect(try #require(mailbox).send { Issue.record("ran after its read") } == false)
    }

    @Test func `each read subscribes anew and gives everything up`() throws {
        var open = 0
        let source = Observable<Int>.create { observer in
            open += 1
            observer.onNext(open)
            return Disposables.create { open -= 1 }
        }
        for _ in 1...2 {
            #expect(
                source.toBlocking(timeout: soon).materialize().elements == [1])
            #expect(open == 0)
        }
        #expect(CurrentScheduler.scheduler == nil)
    }

    @Test func `traits are read alike`() throws {
        #expect(try Single.just(7).toBlocking().single() == 7)
        #expect(try Observable.just(7).asDriver(onErrorJustReturn: 0).toBlocking().first() == 7)
    }
}
