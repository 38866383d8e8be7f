// SPDX-License-Identifier: Apache-2.0

/// Who listens to one output, in the order in which they came.
///
/// One leaves in constant time and leaves a hole, so that the others stay in order and where they are. There are
/// never more holes than subscribers.
package struct OutputSubscribers {
    /// The subscribers, and holes among them.
    package private(set) var places: [(any OutputSubscriber)?] = []
    private var place: [ObjectIdentifier: Int] = [:]

    package init() {}

    /// How many there are.
    package var count: Int { place.count }

    package var isEmpty: Bool { place.isEmpty }

    /// Adds one that is not among them, behind all others.
    package mutating func add(_ subscriber: any OutputSubscriber) {
        precondition(
            place[ObjectIdentifier(subscriber)] == nil, "a subscriber listens to one output twice")
        place[ObjectIdentifier(subscriber)] = places.count
        places.append(subscriber)
    }

    /// Removes one, if it is among them.
    package mutating func remove(_ subscriber: any OutputSubscriber) {
        guard let index = place.removeValue(forKey: ObjectIdentifier(subscriber)) else { return }
        places[index] = nil
        // What this costs is spread over as many removals.
        if places.count > 2 * place.count { closeHoles() }
    }

    private mutating func closeHoles() {
        places.removeAll { $0 == nil }
        for case (let index, let subscriber?) in places.enumerated() {
            place[ObjectIdentifier(subscriber)] = index
        }
    }

    package func checkInvariants() {
        precondition(
            places.count { $0 != nil } == place.count, "\(place.count) have a place in \(places)")
        for case (let index, let subscriber?) in places.enumerated() {
            precondition(
                place[ObjectIdentifier(subscriber)] == index, "place \(index) is another's")
        }
    }
}
