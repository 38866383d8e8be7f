// SPDX-License-Identifier: Apache-2.0

package import MarbledKit
package import Streams

/// A user's mates, their pictures, and profiles that hop over from somebody who is near.
///
///     tryProfileDrop        t----------t----------
///     quitProfileDrop       ----------------q-----
///     nearbyConnected       ---a----------b-------
///     profileData           ------p---------------     quit before b's profile came: it never does
///     nearbyDisconnected    ------a---------b-----
///
/// A scene of parts that know each other by protocol alone, as VIPER has it: the view is the ports, the
/// `MateListPresenter` stands behind them, the `MateListInteractor` decides, and `MateListUseCases` reach
/// the world through a `MateDatabase` and a `NearbyDevice`. This type puts them together.
package final class MateList: Feature {
    package struct Input: Ports {
        @In("Asks for the mates of a user, by id; a later request overtakes an earlier one.")
        package var requestMateList: PublishRelay<String>
        @In("Asks for the picture of a mate, by id.")
        package var requestProfileImage: PublishRelay<String>
        @In("Looks for somebody near and takes their profile.")
        package var tryProfileDrop: PublishRelay<Void>
        @In("Gives the drop up.") package var quitProfileDrop: PublishRelay<Void>

        package init() {}
    }

    package struct Output: Ports {
        @Out("The user's mates.") package var mates = BehaviorRelay<[Mate]>(value: [])
        @Out("A mate's picture.") package var profileImage: PublishRelay<ProfileImage>
        @Out("A profile that was dropped.") package var profileData: PublishRelay<Profile>
        @Out("Who is near, from now on.") package var nearbyConnected: PublishRelay<Mate>
        @Out("Who was near.") package var nearbyDisconnected: PublishRelay<Mate>
        @Out("What went wrong; the scene goes on.") package var error: PublishRelay<MateListError>

        package init() {}
    }

    package static let name = "mate-list"
    package static let doc = "A list of mates, and profiles that are dropped by who is near."
    package static let effects: [Effect] = [.matesDatabase, .nearbyDevice]

    private let presenter: MateListPresenter

    /// A scene on a database and a device.
    package init(database: any MateDatabase, device: any NearbyDevice) {
        let interactor = MateListInteractor(MateListUseCases(database: database, device: device))
        presenter = MateListPresenter(interactor)
        interactor.output = presenter
    }

    package convenience init(_ context: FeatureContext, options: NoOptions) {
        self.init(
            database: RemoteDatabase(door: context.door), device: WirelessDevice(door: context.door)
        )
    }

    package func transform(_ input: Input) -> Output {
        presenter.listen(to: input)
        return presenter.view
    }
}
