// SPDX-License-Identifier: Apache-2.0

package import MarbledKit
package import Streams

/// The game: a number is drawn, and the player finds it.
///
///     checkNumber    --2--1--1--3--        the number to find is 1 throughout
///     round          1-1--2--3--1--        a right guess moves on, a wrong one starts again
///     bestRecord     0----1--2-----
///
/// Numbers come from a generator seeded per instance, or from a service on the network; the best
/// record is kept in the store.
package final class FindNumber: Feature {
    package struct Input: Ports {
        @In("Asks for a new number to find.") package var gameStart: PublishRelay<Void>
        @In("A guess.") package var checkNumber: PublishRelay<Int>
        @In("Starts again and forgets all records.") package var resetStage: PublishRelay<Void>

        package init() {}
    }

    package struct Output: Ports {
        @Out("The number to find.") package var target = BehaviorRelay(value: 1)
        @Out("The round that is being played.") package var round = BehaviorRelay(value: 1)
        @Out("The longest series of right guesses.") package var bestRecord = BehaviorRelay(
            value: 0)
        @Out("The present series of right guesses.")
        package var currentRecord = BehaviorRelay(value: 0)
        @Out("What went wrong; the game goes on.") package var error: PublishRelay<GameError>

        package init() {}
    }

    package static let name = "find-number"
    package static let doc = "A game: find the number that was drawn."
    package static let effects: [Effect] = [.random, .http, .store]

    private let numbers: any NumberSource
    private let records: RecordBook
    private let bag = DisposeBag()

    package init(_ context: FeatureContext, options: Options) throws {
        numbers = try options.makeSource(context)
        records = RecordBook(store: context.store)
    }

    package func transform(_ input: Input) -> Output {
        let output = Output()
        let isRight = input.checkNumber.withLatestFrom(output.target) { $0 == $1 }.share()
        let right = isRight.filter { $0 }.map { _ in }.share()
        let wrong = isRight.filter { !$0 }

        // Each state follows from itself; best comes last, since it looks at the current one.
        right.map { output.round.value + 1 }.bind(to: output.round).disposed(by: bag)
        right.map { output.currentRecord.value + 1 }.bind(to: output.currentRecord)
            .disposed(by: bag)
        right.map { max(output.bestRecord.value, output.currentRecord.value) }
            .bind(to: output.bestRecord).disposed(by: bag)

        wrong.map { _ in 1 }.bind(to: output.round).disposed(by: bag)
        wrong.map { _ in 0 }.bind(to: output.currentRecord).disposed(by: bag)

        input.resetStage.map { 1 }.bind(to: output.round).disposed(by: bag)
        input.resetStage.map { 0 }.bind(to: output.bestRecord, output.currentRecord)
            .disposed(by: bag)

        // A failure is told and swallowed, so that the next question is asked all the same.
        let numbers = numbers
        Observable.merge(input.gameStart.asObservable(), right)
            .flatMap {
                numbers.next().asObservable()
                    .catch { failure in
                        output.error.accept(GameError(failure))
                        return .empty()
                    }
            }
            .bind(to: output.target).disposed(by: bag)

        let forgotten = input.resetStage.asObservable()
        records.restore(into: output.bestRecord, unless: forgotten).disposed(by: bag)
        records.keep(output.bestRecord).disposed(by: bag)
        records.forget(when: forgotten).disposed(by: bag)
        return output
    }
}
