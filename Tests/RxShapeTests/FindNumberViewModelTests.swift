// SPDX-License-Identifier: Apache-2.0

// For RxSwift: import RxCocoa, RxSwift and RxTest. Nothing else in this file would change.
import MarbledTesting
import Streams
import XCTest

/// The view model's tests, written as a suite for RxTest writes them.
final class FindNumberViewModelTests: XCTestCase {
    private var scheduler: TestScheduler!
    private var disposeBag: DisposeBag!
    private var service: NumberServiceStub!
    private var gameStart: PublishRelay<Void>!
    private var checkNumber: PublishSubject<Int>!
    private var resetStage: PublishRelay<Void>!
    private var output: FindNumberViewModel.Output!
    private var viewModel: FindNumberViewModel!

    override func setUp() {
        super.setUp()
        scheduler = TestScheduler(initialClock: 0)
        disposeBag = DisposeBag()
        service = NumberServiceStub(scheduler: scheduler)
        gameStart = PublishRelay<Void>()
        checkNumber = PublishSubject<Int>()
        resetStage = PublishRelay<Void>()
        viewModel = FindNumberViewModel(
            service: service, patience: .milliseconds(30), scheduler: scheduler)
        output = viewModel.transform(
            input: .init(
                gameStart: gameStart.asSignal(), checkNumber: checkNumber,
                resetStage: resetStage.asSignal(onErrorJustReturn: ())))
    }

    override func tearDown() {
        viewModel = nil
        output = nil
        disposeBag = nil
        scheduler = nil
        super.tearDown()
    }

    private func guess(_ events: [Recorded<Event<Int>>]) {
        scheduler.createHotObservable(events).bind(to: checkNumber).disposed(by: disposeBag)
    }

    func testStart_asksForANumberAndShowsIt() {
        service.answers = [[.next(5, 2), .completed(5)]]
        let target = scheduler.createObserver(Int.self)
        let isLoading = scheduler.createObserver(Bool.self)
        output.target.drive(target).disposed(by: disposeBag)
        output.isLoading.drive(isLoading).disposed(by: disposeBag)

        scheduler.createHotObservable([.next(10, ())])
            .bind(to: gameStart)
            .disposed(by: disposeBag)
        scheduler.start()

        XCTAssertEqual(target.events, [.next(0, 1), .next(15, 2)])
        XCTAssertEqual(isLoading.events, [.next(0, false), .next(10, true), .next(15, false)])
        XCTAssertEqual(service.asked, 1)
    }

    func testStage_rightGuessesMoveItOn() {
        let round = scheduler.createObserver(Int.self)
        let best = scheduler.createObserver(Int.self)
        let current = scheduler.createObserver(Int.self)
        let title = scheduler.createObserver(String.self)
        output.round.drive(round).disposed(by: disposeBag)
        output.bestRecord.drive(best).disposed(by: disposeBag)
        output.currentRecord.drive(current).disposed(by: disposeBag)
        output.title.drive(title).disposed(by: disposeBag)

        guess([.next(10, 1), .next(15, 1), .next(20, 1), .next(25, 2), .next(30, 1)])
        scheduler.start()

        XCTAssertEqual(
            round.events,
            [.next(0, 1), .next(10, 2), .next(15, 3), .next(20, 4), .next(25, 1), .next(30, 2)])
        XCTAssertEqual(best.events, [.next(0, 0), .next(10, 1), .next(15, 2), .next(20, 3)])
        XCTAssertEqual(
            current.events,
            [.next(0, 0), .next(10, 1), .next(15, 2), .next(20, 3), .next(25, 0), .next(30, 1)])
        XCTAssertEqual(title.events.last, .next(30, "round 2, best 3"))
        XCTAssertEqual(service.asked, 4)
    }

    func testReset_forgetsTheRecords() {
        let best = scheduler.createObserver(Int.self)
        output.bestRecord.drive(best).disposed(by: disposeBag)

        guess([.next(10, 1)])
        scheduler.createColdObservable([.next(20, ())])
            .bind(to: resetStage)
            .disposed(by: disposeBag)
        scheduler.start()

        XCTAssertEqual(best.events, [.next(0, 0), .next(10, 1), .next(20, 0)])
    }

    func testNewestQuestion_isTheOneThatIsAnswered() {
        service.answers = [
            [.next(50, 7), .completed(50)], [.next(5, 3), .completed(5)],
        ]
        let target = scheduler.createObserver(Int.self)
        output.target.drive(target).disposed(by: disposeBag)

        scheduler.createHotObservable([.next(10, ()), .next(20, ())])
            .bind(to: gameStart)
            .disposed(by: disposeBag)
        scheduler.start()

        XCTAssertEqual(target.events, [.next(0, 1), .next(25, 3)])
        XCTAssertEqual(service.first?.subscriptions.map(\.unsubscribe), [20])
    }

    func testError_isToldAndTheGameGoesOn() {
        service.answers = [[.error(5, NumberServiceStub.Failure())], [.next(5, 2), .completed(5)]]
        let error = scheduler.createObserver(String.self)
        let target = scheduler.createObserver(Int.self)
        output.error.emit(to: error).disposed(by: disposeBag)
        output.target.drive(target).disposed(by: disposeBag)

        scheduler.createHotObservable([.next(10, ()), .next(20, ())])
            .bind(to: gameStart)
            .disposed(by: disposeBag)
        scheduler.start()

        XCTAssertEqual(error.events, [.next(15, "no number: Failure()")])
        XCTAssertEqual(target.events, [.next(0, 1), .next(25, 2)])
    }

    func testHint_comesAfterASilence() {
        let hint = scheduler.createObserver(String.self)
        output.hint.emit(to: hint).disposed(by: disposeBag)

        guess([.next(10, 0), .next(20, 5), .next(60, 0), .completed(200)])
        scheduler.start()

        XCTAssertEqual(
            hint.events, [.next(50, "not higher"), .next(90, "higher"), .completed(200)])
        XCTAssertRecordedElements(Array(hint.events.dropLast()), ["not higher", "higher"])
    }

    func testStartOfTheScheduler_recordsWhatASubscriptionSees() {
        let source = scheduler.createHotObservable([
            .next(150, 1), .next(210, 2), .next(220, 3), .completed(300),
        ])
        let observer = scheduler.start(created: 100, subscribed: 200, disposed: 1000) {
            source.map { $0 * 10 }
        }
        XCTAssertEqual(observer.events, [.next(210, 20), .next(220, 30), .completed(300)])
        XCTAssertEqual(source.subscriptions.map(\.subscribe), [200])
    }
}

/// A service whose answers the test writes down; without one it answers 1 at once.
private final class NumberServiceStub: NumberService {
    struct Failure: Error {}

    var answers: [[Recorded<Event<Int>>]] = []
    private(set) var asked = 0
    private(set) var first: TestableObservable<Int>?
    private let scheduler: TestScheduler

    init(scheduler: TestScheduler) {
        self.scheduler = scheduler
    }

    func number() -> Single<Int> {
        asked += 1
        guard asked <= answers.count else { return .just(1) }
        let answer = scheduler.createColdObservable(answers[asked - 1])
        if first == nil { first = answer }
        return answer.asSingle()
    }
}
