// SPDX-License-Identifier: Apache-2.0

public import Scheduling

/// A promise that leaves room for a value: what singles and maybes have in common.
public protocol ValueTrait {}

extension PrimitiveSequenceType where Trait: ValueTrait {
    /// `element`, at once.
    public static func just(_ element: Element) -> PrimitiveSequence<Trait, Element> {
        .init(keeping: .just(element))
    }

    /// `element`, as queued work of `scheduler`.
    public static func just(
        _ element: Element, scheduler: any Scheduler
    ) -> PrimitiveSequence<Trait, Element> {
        .init(keeping: .just(element, scheduler: scheduler))
    }

    /// The value transformed; an error thrown by `transform` comes instead.
    public func map<Result>(
        _ transform: @escaping (Element) throws -> Result
    ) -> PrimitiveSequence<Trait, Result> {
        .init(keeping: source.map(transform))
    }

    /// What the value makes: a second question that the first answer asks.
    public func flatMap<Result>(
        _ selector: @escaping (Element) throws -> PrimitiveSequence<Trait, Result>
    ) -> PrimitiveSequence<Trait, Result> {
        .init(keeping: source.flatMap(selector))
    }

    /// The value transformed, if the transform gives one.
    public func compactMap<Result>(
        _ transform: @escaping (Element) throws -> Result?
    ) -> Maybe<Result> {
        .init(keeping: source.compactMap(transform))
    }

    /// The value, if `predicate` holds for it.
    public func filter(_ predicate: @escaping (Element) throws -> Bool) -> Maybe<Element> {
        .init(keeping: source.filter(predicate))
    }

    /// What the value makes, which may be nothing.
    ///
    ///     source                --(1|)
    ///     1 makes                 ---(a|)
    ///     flatMapMaybe          -----(a|)
    public func flatMapMaybe<Result>(
        _ selector: @escaping (Element) throws -> Maybe<Result>
    ) -> Maybe<Result> {
        .init(keeping: source.flatMap(selector))
    }

    /// What the value makes, of which only the end is seen.
    ///
    ///     source                --(1|)
    ///     1 makes                 ---|
    ///     flatMapCompletable    -----|
    public func flatMapCompletable(
        _ selector: @escaping (Element) throws -> Completable
    ) -> Completable {
        .init(keeping: source.flatMap(selector))
    }

    /// `element` in place of an error.
    public func catchAndReturn(_ element: Element) -> PrimitiveSequence<Trait, Element> {
        .init(keeping: source.catchAndReturn(element))
    }

    /// Only whether it fails.
    public func asCompletable() -> Completable { .init(keeping: source.ignoreElements()) }

    /// What `resultSelector` makes of all values; the first error comes instead.
    public static func zip<each Part>(
        _ source: repeat PrimitiveSequence<Trait, each Part>,
        resultSelector: @escaping (repeat each Part) throws -> Element
    ) -> PrimitiveSequence<Trait, Element> {
        .init(
            keeping: .zip(repeat (each source).asObservable(), resultSelector: resultSelector))
    }
}

extension PrimitiveSequence where Trait: ValueTrait, Element == Any {
    /// All values as a tuple.
    public static func zip<each Part>(
        _ source: repeat PrimitiveSequence<Trait, each Part>
    ) -> PrimitiveSequence<Trait, (repeat each Part)> {
        .zip(repeat each source) { (part: repeat each Part) in (repeat each part) }
    }
}
