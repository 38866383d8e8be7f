// SPDX-License-Identifier: Apache-2.0

public import Scheduling

// Streams to async code. The way back is `AsyncSequence.asObservable()`.

extension ObservableConvertibleType {
    /// The stream for `for try await`, in a task of its timeline; see `ObservableValues`.
    public var values: ObservableValues<Element, any Error> {
        ObservableValues(asObservable(), .standard)
    }

    /// The stream for `for try await`, with a bound of your own for what is not taken in time.
    public func values(buffering: ValueBuffering) -> ObservableValues<Element, any Error> {
        ObservableValues(asObservable(), buffering)
    }
}

extension SharedSequence {
    /// The sequence for `for await`: it cannot fail.
    public var values: ObservableValues<Element, Never> {
        ObservableValues(asObservable(), .standard)
    }
}

extension RelayType {
    /// The relay for `for await`, what it has already first: it cannot fail.
    public var values: ObservableValues<Element, Never> {
        ObservableValues(asObservable(), .standard)
    }
}

extension PrimitiveSequence where Trait == SingleTrait {
    /// The answer; cancelling the task that waits gives the question up.
    public var value: Element {
        get async throws {
            for try await element in source.values { return element }
            try Task.checkCancellation()
            throw StreamError.noElements
        }
    }

    /// A single whose every subscription runs `work` as a task; giving it up cancels the task.
    public static func create(
        work: @escaping () async throws -> Element
    ) -> Single<Element> {
        Single.create { answer in
            timeline(nil, for: "Single.create").task("a single's work") {
                do {
                    answer(.success(try await work()))
                } catch {
                    answer(.failure(error))
                }
            }
        }
    }
}

extension PrimitiveSequence where Trait == MaybeTrait {
    /// The answer, or nil for none; cancelling the task that waits gives the question up.
    public var value: Element? {
        get async throws {
            for try await element in source.values { return element }
            try Task.checkCancellation()
            return nil
        }
    }
}

extension PrimitiveSequence where Trait == CompletableTrait, Element == Never {
    /// Waits for the completion; cancelling the task that waits gives the work up.
    public var value: Void {
        get async throws {
            for try await _ in source.values {}
            try Task.checkCancellation()
        }
    }
}

extension TimelineTask: Disposable {
    /// Cancels the task.
    public func dispose() {
        cancel()
    }
}
