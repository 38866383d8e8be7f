// SPDX-License-Identifier: Apache-2.0

/// What a screen is bound to: events of the user in, what is shown out.
protocol ViewModelType {
    associatedtype Input
    associatedtype Output

    func transform(input: Input) -> Output
}
