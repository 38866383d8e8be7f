// SPDX-License-Identifier: Apache-2.0

/// Who may ask now and who waits: so many at once to one origin, so many in all.
///
/// Those who wait come in the order they came, except that one whose origin is busy is passed by. The
/// line has a bound, and who would be one too many is turned away.
struct Admission {
    /// What becomes of a request.
    enum Verdict {
        case goes
        case waits
        case isRefused
    }

    private let perOrigin: Int
    private let total: Int
    private let waiting: Int
    private var line: [(id: Int, origin: String)] = []
    private var inside: [Int: String] = [:]
    private var counts: [String: Int] = [:]

    init(perOrigin: Int, total: Int, waiting: Int) {
        self.perOrigin = perOrigin
        self.total = total
        self.waiting = waiting
    }

    /// Somebody comes.
    mutating func enter(_ id: Int, origin: String) -> Verdict {
        if hasRoom(origin) {
            admit(id, origin)
            return .goes
        }
        guard line.count < waiting else { return .isRefused }
        line.append((id, origin))
        return .waits
    }

    /// Somebody goes, from inside or out of the line; returns who may come in for it.
    mutating func leave(_ id: Int) -> Int? {
        guard let origin = inside.removeValue(forKey: id) else {
            line.removeAll { $0.id == id }
            return nil
        }
        let count = counts[origin, default: 1] - 1
        counts[origin] = count == 0 ? nil : count
        guard let index = line.firstIndex(where: { hasRoom($0.origin) }) else { return nil }
        let next = line.remove(at: index)
        admit(next.id, next.origin)
        return next.id
    }

    private func hasRoom(_ origin: String) -> Bool {
        inside.count < total && counts[origin, default: 0] < perOrigin
    }

    private mutating func admit(_ id: Int, _ origin: String) {
        inside[id] = origin
        counts[origin, default: 0] += 1
    }
}
