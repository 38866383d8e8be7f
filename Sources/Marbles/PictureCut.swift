// SPDX-License-Identifier: Apache-2.0

internal import Scheduling

/// The part of some lanes that a picture has room for: so many instants, and how many there are besides.
///
/// What fits is left as it is. Else the part begins where the picture would, or behind that where
/// otherwise an instant of interest would not be in it.
struct PictureCut {
    private(set) var lanes: [PictureLayout.Lane]
    /// Where the part begins and ends.
    private(set) var start: Int64
    private(set) var end: Int64?
    /// How many instants stand before it, and behind it.
    private(set) var before = 0
    private(set) var after = 0

    init(
        _ lanes: [PictureLayout.Lane], from start: Int64, until end: Int64?, most: Int?,
        showing interest: Int64? = nil
    ) {
        self.lanes = lanes
        self.start = start
        self.end = end
        guard let most else { return }
        var times = Set([start])
        if let end { times.insert(end) }
        for lane in lanes { times.formUnion(lane.symbols.lazy.map(\.nanoseconds)) }
        guard times.count > most else { return }
        let instants = times.sorted()
        let place = interest.map { instants.place(of: $0) } ?? 0
        // What led to it is of interest, too.
        before = place < most ? 0 : min(place - most / 2, instants.count - most)
        after = instants.count - before - most
        let shown = instants[before]...instants[before + most - 1]
        self.start = shown.lowerBound
        self.end = shown.upperBound
        for lane in lanes.indices {
            let symbols = lanes[lane].symbols
            self.lanes[lane].symbols = symbols.filter { shown.contains($0.nanoseconds) }
            let last = symbols.last { $0.nanoseconds < shown.lowerBound }
            if last?.symbol.isEnd == true { self.lanes[lane].isOver = true }
        }
    }

    /// What is said of that below the picture: nothing where nothing is left out.
    func noteLines(_ style: PictureStyle) -> [String] {
        let earlier = "behind \(before) earlier instants"
        let later = "\(after) more instants"
        switch (before, after) {
        case (0, 0): return []
        case (0, _): return ["", "\(style.ellipsis) and \(later)"]
        case (_, 0): return ["", "\(style.ellipsis) \(earlier)"]
        case (_, _): return ["", "\(style.ellipsis) \(earlier), and \(later)"]
        }
    }
}

extension Array<Int64> {
    /// The place of the first number, in a sorted list, that is not below `number`.
    func place(of number: Int64) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
