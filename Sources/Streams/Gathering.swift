// SPDX-License-Identifier: Apache-2.0

/// What has come from one of several streams: the newest value for `combineLatest`, a queue for `zip`.
@usableFromInline
protocol GatheredPart<Element>: AnyObject {
    associatedtype Element

    /// Whether nothing is there for the next result.
    var isEmpty: Bool { get }

    /// Takes what the stream emits.
    func append(_ element: Element)
}

/// The state of `zip` and `combineLatest`: which parts are empty, and which streams are not done.
///
/// Whenever no part is empty, `gather` makes a result of all. The whole is done when all streams are, or
/// when a value comes and none of the others can ever give it company.
@usableFromInline
final class Gathering<Result> {
    @usableFromInline let sink: Sink<Result>
    @usableFromInline let gather: () throws -> Result
    /// Whether a result uses values up, so that parts may be empty again behind it.
    @usableFromInline let isTakingValues: Bool
    /// Whether each part is empty; asked only when values are used up.
    @usableFromInline var parts: [() -> Bool] = []
    @usableFromInline var empty: Int
    @usableFromInline var open: Int

    @inlinable
    init(
        sink: Sink<Result>, count: Int, isTakingValues: Bool = false,
        gather: @escaping () throws -> Result
    ) {
        self.sink = sink
        self.gather = gather
        self.isTakingValues = isTakingValues
        empty = count
        open = count
    }

    @inlinable
    func attach<Part: GatheredPart>(
        _ source: Observable<Part.Element>, _ part: Part, _ subscription: Subscription
    ) {
        guard !subscription.isDisposed else { return }
        if isTakingValues { parts.append { part.isEmpty } }
        let upstream = subscription.makeChild()
        source.attach(
            Sink(
                next: { element in
                    if part.isEmpty { self.empty -= 1 }
                    part.append(element)
                    if self.empty == 0 {
                        self.emit()
                    } else if self.open == 1 {
                        // The others are done, and one of them left nothing.
                        self.sink.end(.completed)
                    }
                },
                end: { termination in
                    guard !upstream.isDisposed else { return }
                    upstream.dispose()
                    switch termination {
                    case .error: self.sink.end(termination)
                    case .completed:
                        self.open -= 1
                        if self.open == 0 { self.sink.end(.completed) }
                    }
                }),
            upstream)
    }

    @inlinable
    func emit() {
        let result: Result
        do { result = try gather() } catch { return sink.end(.error(error)) }
        if isTakingValues { empty = parts.count { $0() } }
        sink.next(result)
    }
}
