// SPDX-License-Identifier: Apache-2.0

// For RxSwift: import RxCocoa and RxSwift. Nothing else in this file would change.
import Streams

/// Where the numbers to find come from.
protocol NumberService {
    func number() -> Single<Int>
}

/// Finding a number, written as an app for RxSwift writes it: the game of `plugins/FindNumber` with the
/// streams of a screen, and a hint for a player who hesitates.
final class FindNumberViewModel: ViewModelType {
    struct Input {
        let gameStart: Signal<Void>
        let checkNumber: Observable<Int>
        let resetStage: Signal<Void>
    }

    struct Output {
        let target: Driver<Int>
        let round: Driver<Int>
        let bestRecord: Driver<Int>
        let currentRecord: Driver<Int>
        let title: Driver<String>
        let isLoading: Driver<Bool>
        let hint: Signal<String>
        let error: Signal<String>
    }

    private let service: NumberService
    private let patience: RxTimeInterval
    private let scheduler: SchedulerType
    private let disposeBag = DisposeBag()

    init(
        service: NumberService, patience: RxTimeInterval = .seconds(3),
        scheduler: SchedulerType = MainScheduler.instance
    ) {
        self.service = service
        self.patience = patience
        self.scheduler = scheduler
    }

    func transform(input: Input) -> Output {
        let target = BehaviorRelay<Int>(value: 1)
        let round = BehaviorRelay<Int>(value: 1)
        let best = BehaviorRelay<Int>(value: 0)
        let current = BehaviorRelay<Int>(value: 0)
        let isLoading = BehaviorRelay<Bool>(value: false)
        let errorMessage = PublishRelay<String>()

        let isRight = input.checkNumber
            .withLatestFrom(target) { guess, number in guess == number }
            .share()
        let right = isRight.filter { $0 }.map { _ in () }.share()
        let wrong = isRight.filter { !$0 }.map { _ in () }

        right.withLatestFrom(round) { $1 + 1 }.bind(to: round).disposed(by: disposeBag)
        right.withLatestFrom(current) { $1 + 1 }.bind(to: current).disposed(by: disposeBag)
        current.withLatestFrom(best) { ($0, $1) }
            .filter { $0 > $1 }
            .map { $0.0 }
            .bind(to: best)
            .disposed(by: disposeBag)
        wrong.map { 1 }.bind(to: round).disposed(by: disposeBag)
        wrong.map { 0 }.bind(to: current).disposed(by: disposeBag)

        input.resetStage
            .emit(onNext: { _ in
                round.accept(1)
                best.accept(0)
                current.accept(0)
            })
            .disposed(by: disposeBag)

        let answer = Observable.merge(input.gameStart.asObservable(), right)
            .do(onNext: { isLoading.accept(true) })
            .flatMapLatest { [service] in service.number().asObservable().materialize() }
            .share()
        answer.compactMap { $0.element }.bind(to: target).disposed(by: disposeBag)
        answer.compactMap { $0.error }
            .map { "no number: \($0)" }
            .bind(to: errorMessage)
            .disposed(by: disposeBag)
        answer.filter { $0.isStopEvent }.map { _ in false }.bind(to: isLoading)
            .disposed(by: disposeBag)

        let title = Observable.combineLatest(round, best) { "round \($0), best \($1)" }
            .distinctUntilChanged()
            .asDriver(onErrorJustReturn: "")
        let hint = input.checkNumber
            .debounce(patience, scheduler: scheduler)
            .withLatestFrom(target) { guess, number in guess < number ? "higher" : "not higher" }
            .asSignal(onErrorSignalWith: .empty())

        return Output(
            target: target.asDriver(),
            round: round.asDriver(onErrorJustReturn: 1),
            bestRecord: best.asDriver(),
            currentRecord: current.asDriver(),
            title: title,
            isLoading: isLoading.asDriver().distinctUntilChanged(),
            hint: hint,
            error: errorMessage.asSignal())
    }
}
