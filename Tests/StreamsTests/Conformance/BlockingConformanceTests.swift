// SPDX-License-Identifier: Apache-2.0

import MarbledTesting
import Scheduling
import Streams
import Testing

/// Rows 59 to 62: reads of a stream that wait for it.
@Suite struct BlockingConformanceTests {
    private static var empty: Observable<Int> { .empty() }
    private static var some: Observable<Int> { .of(42, 43, 44, 45) }
    private static var failing: Observable<Int> { .concat(some, .error(Oops())) }

    /// Why a read gave nothing, and the values that came before.
    private static func failure(
        _ read: () throws(BlockingError<Int>) -> some Any
    ) -> (cause: String, values: [Int])? {
        do {
            _ = try read()
            return nil
        } catch {
            return ("\(type(of: error.cause))", error.values)
        }
    }

    private static func outOfTime(
        _ read: (BlockingObservable<Int>) throws(BlockingError<Int>) -> some Any
    ) -> Bool {
        let never = Observable<Int>.never().toBlocking(timeout: .milliseconds(1))
        return failure { () throws(BlockingError<Int>) in try read(never) }?.cause == "TimeoutError"
    }

    @Test func `row 59 to an array: nothing, one, all, an error, time is up`() throws {
        #expect(try Self.empty.toBlocking().toArray() == [])
        #expect(try Observable.just(42).toBlocking().toArray() == [42])
        #expect(try Self.some.toBlocking().toArray() == [42, 43, 44, 45])
        let ticks = Observable<Int>.interval(.microseconds(10)).take(10)
        #expect(try ticks.toBlocking().toArray() == Array(0..<10))
        let failure = Self.failure { () throws(BlockingError<Int>) in
            try Self.failing.toBlocking().toArray()
        }
        #expect(failure?.cause == "Oops")
        // Elsewhere these are lost.
        #expect(failure?.values == [42, 43, 44, 45])
        #expect(Self.outOfTime { read throws(BlockingError<Int>) in try read.toArray() })
    }

    @Test func `row 60 first: nil for nothing, else at once, whatever comes after`() throws {
        #expect(try Self.empty.toBlocking().first() == nil)
        #expect(try Self.some.toBlocking().first() == 42)
        #expect(try Self.failing.toBlocking().first() == 42)
        #expect(try Observable<Int>.interval(.microseconds(10)).toBlocking().first() == 0)
        let failure = Self.failure { () throws(BlockingError<Int>) in
            try Observable<Int>.error(Oops()).toBlocking().first()
        }
        #expect(failure?.cause == "Oops")
        #expect(Self.outOfTime { read throws(BlockingError<Int>) in try read.first() })
    }

    @Test func `row 60 last: nil for nothing, else the last one at the end`() throws {
        #expect(try Self.empty.toBlocking().last() == nil)
        #expect(try Self.some.toBlocking().last() == 45)
        let ticks = Observable<Int>.interval(.microseconds(10)).take(10)
        #expect(try ticks.toBlocking().last() == 9)
        let failure = Self.failure { () throws(BlockingError<Int>) in
            try Self.failing.toBlocking().last()
        }
        #expect(failure?.cause == "Oops")
        #expect(Self.outOfTime { read throws(BlockingError<Int>) in try read.last() })
    }

    @Test func `row 61 single: the one, or an error for none and for more than one`() throws {
        func cause(of source: Observable<Int>) -> String? {
            do {
                _ = try source.toBlocking().single()
                return nil
            } catch {
                return "\(error.cause)"
            }
        }
        #expect(try Observable.just(42).toBlocking().single() == 42)
        #expect(cause(of: Self.empty) == "\(StreamError.noElements)")
        #expect(cause(of: .of(42, 43)) == "\(StreamError.moreThanOneElement)")
        #expect(cause(of: Self.some) == "\(StreamError.moreThanOneElement)")
        #expect(cause(of: .error(Oops())) == "Oops()")
        #expect(Self.outOfTime { read throws(BlockingError<Int>) in try read.single() })
    }

    /// What a predicate was asked about, and how the read ended.
    private static func asked(
        _ predicate: @escaping (Int) throws -> Bool
    ) -> (values: [Int], outcome: String) {
        var values: [Int] = []
        do {
            let value = try some.toBlocking().single {
                values.append($0)
                return try predicate($0)
            }
            return (values, "\(value)")
        } catch {
            return (values, "\(error.cause)")
        }
    }

    @Test func `row 61 single with a predicate: asked until the second match, or until it throws`()
    {
        #expect(Self.asked { $0 == 44 } == ([42, 43, 44, 45], "44"))
        #expect(Self.asked { $0 >= 43 } == ([42, 43, 44], "\(StreamError.moreThanOneElement)"))
        #expect(Self.asked { $0 > 50 } == ([42, 43, 44, 45], "\(StreamError.noElements)"))
        #expect(Self.asked { $0 < 43 ? false : try { throw Oops() }() } == ([42, 43], "Oops()"))
    }

    @Test func `row 62 materialize: the values, and beside them how it ended`() {
        func drawn(_ source: Observable<Int>, timeout: Duration = .seconds(10)) -> String {
            switch source.toBlocking(timeout: timeout).materialize() {
            case .completed(let elements): "\(elements) completed"
            case .failed(let elements, let error): "\(elements) \(type(of: error))"
            }
        }
        #expect(drawn(Self.empty) == "[] completed")
        #expect(drawn(Self.some) == "[42, 43, 44, 45] completed")
        #expect(drawn(.error(Oops())) == "[] Oops")
        #expect(drawn(Self.failing) == "[42, 43, 44, 45] Oops")
        #expect(
            drawn(.concat(.just(1), .never()), timeout: .milliseconds(1)) == "[1] TimeoutError")
    }
}
