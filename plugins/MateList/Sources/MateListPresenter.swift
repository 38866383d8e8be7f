// SPDX-License-Identifier: Apache-2.0

internal import Streams

/// Stands between the view and the interactor: a touch becomes a wish, news become what is shown.
final class MateListPresenter: MateListInteractorOutput {
    /// What the view shows.
    let view = MateList.Output()
    private let interactor: any MateListInteracting
    private let bag = DisposeBag()

    init(_ interactor: any MateListInteracting) {
        self.interactor = interactor
    }

    /// Passes on what the view is told.
    func listen(to input: MateList.Input) {
        let interactor = interactor
        input.requestMateList.bind { interactor.requestMates(of: $0) }.disposed(by: bag)
        input.requestProfileImage.bind { interactor.requestProfileImage(of: $0) }
            .disposed(by: bag)
        input.tryProfileDrop.bind { interactor.tryProfileDrop() }.disposed(by: bag)
        input.quitProfileDrop.bind { interactor.quitProfileDrop() }.disposed(by: bag)
    }

    // MARK: MateListInteractorOutput

    func found(_ mates: [Mate]) { view.mates.accept(mates) }

    func found(_ image: ProfileImage) { view.profileImage.accept(image) }

    func connected(to mate: Mate) { view.nearbyConnected.accept(mate) }

    func received(_ profile: Profile) { view.profileData.accept(profile) }

    func disconnected(from mate: Mate) { view.nearbyDisconnected.accept(mate) }

    func failed(_ error: MateListError) { view.error.accept(error) }
}
