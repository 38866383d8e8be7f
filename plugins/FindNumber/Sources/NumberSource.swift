// SPDX-License-Identifier: Apache-2.0

internal import MarbledKit
internal import Streams

/// Where the numbers to find come from.
protocol NumberSource {
    /// One number.
    func next() -> Single<Int>
}

/// Draws from the instance's own seeded generator: no network needed.
struct LocalNumbers: NumberSource {
    let random: RandomEffect
    let range: ClosedRange<Int>

    func next() -> Single<Int> {
        random.integer(in: range)
    }
}

/// Asks a service over HTTP, which answers a JSON list of one integer: `[2]`.
struct ServiceNumbers: NumberSource {
    let http: HTTPEffect
    let url: String

    func next() -> Single<Int> {
        http.get(url).map { response in
            guard response.isSuccess else { throw GameError.networkError }
            guard let numbers = try? response.json(as: [Int].self), numbers.count == 1 else {
                throw GameError.decodingError
            }
            return numbers[0]
        }
    }
}
