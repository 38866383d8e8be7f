// SPDX-License-Identifier: Apache-2.0

public import Scheduling

// Each of these runs where it is subscribed when no scheduler is given. With one, every event is queued
// work of its own, so that others of the same instant come in between.

extension ObservableType {
    /// Emits one value and completes, as queued work of `scheduler`.
    ///
    ///     just(a, scheduler:)    (a|)
    public static func just(_ element: Element, scheduler: any Scheduler) -> Observable<Element> {
        from([element], scheduler: scheduler)
    }

    /// Emits the given values and completes, as queued work of `scheduler`.
    ///
    ///     of(1, 2, 3, scheduler:)    (123|)
    public static func of(_ elements: Element..., scheduler: any Scheduler) -> Observable<Element> {
        from(elements, scheduler: scheduler)
    }

    /// Emits the values of a sequence and completes, as queued work of `scheduler`.
    ///
    ///     from(1...3, scheduler:)    (123|)
    public static func from(
        _ elements: some Sequence<Element>, scheduler: any Scheduler
    ) -> Observable<Element> {
        AnonymousObservable { sink, subscription in
            var remaining = elements.makeIterator()
            QueuedSteps(scheduler, "a sequence", subscription) {
                guard let element = remaining.next() else {
                    sink.end(.completed)
                    return false
                }
                sink.next(element)
                return true
            }.start()
        }
    }

    /// Emits the value if there is one, and completes, as queued work of `scheduler`.
    ///
    ///     from(optional: a, scheduler:)    (a|)
    public static func from(
        optional: Element?, scheduler: any Scheduler
    ) -> Observable<Element> {
        from(optional.map { [$0] } ?? [], scheduler: scheduler)
    }

    /// Emits `element` for ever; give it a scheduler, or an end such as `take`.
    ///
    ///     repeatElement(a).take(3)    (aaa|)
    public static func repeatElement(
        _ element: Element, scheduler: (any Scheduler)? = nil
    ) -> Observable<Element> {
        generate(initialState: element, condition: { _ in true }, scheduler: scheduler) { $0 }
    }

    /// Emits the states from `initialState` on, each made of the one before by `iterate`, as long as
    /// `condition` holds.
    ///
    ///     generate(initialState: 1, condition: { $0 < 4 }, iterate: { $0 + 1 })    (123|)
    public static func generate(
        initialState: Element, condition: @escaping (Element) throws -> Bool,
        scheduler: (any Scheduler)? = nil, iterate: @escaping (Element) throws -> Element
    ) -> Observable<Element> {
        AnonymousObservable { sink, subscription in
            var state = initialState
            var isFirst = true
            func step() -> Bool {
                do {
                    if isFirst { isFirst = false } else { state = try iterate(state) }
                    guard try condition(state) else {
                        sink.end(.completed)
                        return false
                    }
                } catch {
                    sink.end(.error(error))
                    return false
                }
                sink.next(state)
                return true
            }
            guard let scheduler else {
                while !subscription.isDisposed, step() {}
                return
            }
            QueuedSteps(scheduler, "generate", subscription, step).start()
        }
    }

    /// Makes a resource for each subscription and gives it up when that ends.
    ///
    ///     source                    -a-|      cold
    ///     using(file) { source }    -a-|      the file is given up at 3
    public static func using<Resource: Disposable>(
        _ resourceFactory: @escaping () throws -> Resource,
        observableFactory: @escaping (Resource) throws -> Observable<Element>
    ) -> Observable<Element> {
        AnonymousObservable { sink, subscription in
            let source: Observable<Element>
            do {
                let resource = try resourceFactory()
                subscription.add(resource)
                source = try observableFactory(resource)
            } catch { return sink.end(.error(error)) }
            source.attach(sink, subscription)
        }
    }
}

extension ObservableType where Element: FixedWidthInteger {
    /// Emits `count` integers from `start` on.
    ///
    ///     range(start: 1, count: 3)    (123|)
    public static func range(
        start: Element, count: Element, scheduler: (any Scheduler)? = nil
    ) -> Observable<Element> {
        precondition(count >= 0, "a range of \(count) integers has fewer than none")
        let (last, overflow) = start.addingReportingOverflow(count == 0 ? 0 : count - 1)
        precondition(!overflow, "a range of \(count) from \(start) leaves \(Element.self)")
        guard count > 0 else { return .empty() }
        guard let scheduler else { return .from(start...last) }
        return .from(start...last, scheduler: scheduler)
    }
}

/// Runs `step` as queued work again and again until it says no or nobody listens.
@usableFromInline
final class QueuedSteps {
    private let scheduler: any Scheduler
    private let label: WorkLabel
    private let subscription: Subscription
    private let step: () -> Bool

    @usableFromInline
    init(
        _ scheduler: any Scheduler, _ label: WorkLabel, _ subscription: Subscription,
        _ step: @escaping () -> Bool
    ) {
        self.scheduler = scheduler
        self.label = label
        self.subscription = subscription
        self.step = step
    }

    @usableFromInline
    func start() {
        guard !subscription.isDisposed else { return }
        // Not taken back on disposal: it finds nobody there, and ends.
        scheduler.schedule(at: scheduler.instant(after: .zero), phase: .queued, label: label) {
            guard !self.subscription.isDisposed, self.step() else { return }
            self.start()
        }
    }
}
