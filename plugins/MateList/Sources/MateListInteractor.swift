// SPDX-License-Identifier: Apache-2.0

internal import Streams

/// What the presenter may wish for.
package protocol MateListInteracting {
    /// Asks for the mates of a user; overtakes the request before.
    func requestMates(of userID: String)
    /// Asks for a picture; several may be on their way.
    func requestProfileImage(of mateID: String)
    /// Begins a drop; one that runs is given up.
    func tryProfileDrop()
    /// Gives the drop up, if one runs.
    func quitProfileDrop()
}

/// Who is told the news: the presenter.
package protocol MateListInteractorOutput: AnyObject {
    func found(_ mates: [Mate])
    func found(_ image: ProfileImage)
    func connected(to mate: Mate)
    func received(_ profile: Profile)
    func disconnected(from mate: Mate)
    func failed(_ error: MateListError)
}

/// Decides what happens when: which use case runs, what overtakes what, and when the line is dropped.
package final class MateListInteractor: MateListInteracting {
    /// Told the news. Not kept alive: it is the one who keeps this.
    package weak var output: (any MateListInteractorOutput)?

    private let useCases: MateListUseCases
    private let users = PublishRelay<String>()
    private let images = PublishRelay<String>()
    private let drops = PublishRelay<Observable<DropStep>>()
    private let hangUps = PublishRelay<Mate>()
    /// Who is near, while connected.
    private var near: Mate?
    private let bag = DisposeBag()

    /// An interactor that reaches the world through `useCases`.
    package init(_ useCases: MateListUseCases) {
        self.useCases = useCases
        users.flatMapLatest { useCases.fetchMates($0).asObservable().asResults() }
            .subscribe(with: self) { $0.tell($1) { $0.found($1) } }.disposed(by: bag)
        images.flatMap { useCases.fetchProfileImage($0).asObservable().asResults() }
            .subscribe(with: self) { $0.tell($1) { $0.found($1) } }.disposed(by: bag)
        drops.flatMapLatest { $0.asResults() }
            .subscribe(with: self) { $0.took($1) }.disposed(by: bag)
        // A line that cannot be hung up is down already.
        hangUps.flatMap { useCases.hangUp($0).catchAndReturn(()) }.subscribe().disposed(by: bag)
    }

    package func requestMates(of userID: String) { users.accept(userID) }

    package func requestProfileImage(of mateID: String) { images.accept(mateID) }

    package func tryProfileDrop() {
        quitProfileDrop()
        drops.accept(useCases.dropProfile())
    }

    package func quitProfileDrop() {
        drops.accept(.empty())
        hangUp()
    }

    private func took(_ step: Result<DropStep, MateListError>) {
        tell(step) { output, step in
            switch step {
            case .connected(let mate):
                near = mate
                output.connected(to: mate)
            case .received(let profile): output.received(profile)
            }
        }
        switch step {
        case .success(.connected): break
        case .success(.received), .failure: hangUp()
        }
    }

    private func hangUp() {
        guard let mate = near.take() else { return }
        hangUps.accept(mate)
        output?.disconnected(from: mate)
    }

    private func tell<News>(
        _ result: Result<News, MateListError>,
        _ success: (any MateListInteractorOutput, News) -> Void
    ) {
        guard let output else { return }
        switch result {
        case .success(let news): success(output, news)
        case .failure(let error): output.failed(error)
        }
    }
}

extension ObservableType {
    /// The values, and an error as the last of them: the stream completes where it would have failed.
    fileprivate func asResults() -> Observable<Result<Element, MateListError>> {
        map(Result.success).catch { .just(.failure(MateListError($0))) }
    }
}
