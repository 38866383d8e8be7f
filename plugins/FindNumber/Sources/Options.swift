// SPDX-License-Identifier: Apache-2.0

internal import MarbledKit

extension FindNumber {
    /// What can be chosen when the game is opened.
    package struct Options: FeatureOptions, Equatable {
        /// Where numbers come from: `local` or `http`.
        package var source = Source.local
        /// The service's address, without the path.
        package var baseURL = "http://www.randomnumberapi.com"
        /// The smallest number drawn.
        package var min = 1
        /// The largest number drawn.
        package var max = 3

        package init() {}

        func makeSource(_ context: FeatureContext) throws -> any NumberSource {
            guard min <= max else {
                throw PortValueError("min is \(min) and max is \(max); min must not be larger")
            }
            switch source {
            case .local: return LocalNumbers(random: context.random, range: min...max)
            case .http:
                let url = "\(baseURL)/api/v1.0/random?min=\(min)&max=\(max)&count=1"
                return ServiceNumbers(http: context.http, url: url)
            }
        }
    }

    /// Where numbers come from.
    package enum Source: String, CaseIterable, PortValue {
        /// The instance's own generator.
        case local
        /// The service at `baseURL`.
        case http
    }
}
