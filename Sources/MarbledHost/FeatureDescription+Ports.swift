// SPDX-License-Identifier: Apache-2.0

extension FeatureDescription {
    /// The number of the input of that name.
    package func inputNumber(_ name: String) throws(HostError) -> Int {
        if let number = inputs.firstIndex(where: { $0.name == name }) { return number }
        throw .unknownPort(name, direction: "input", known: inputs.map(\.name))
    }

    /// The number of the output of that name.
    package func outputNumber(_ name: String) throws(HostError) -> Int {
        if let number = outputs.firstIndex(where: { $0.name == name }) { return number }
        throw .unknownPort(name, direction: "output", known: outputs.map(\.name))
    }

    /// The number of the input whose name has these bytes, or nil: for requests, which make no strings.
    package func inputNumber(_ name: UnsafeRawBufferPointer) -> Int? {
        inputs.firstIndex { $0.nameBytes.count == name.count && $0.nameBytes.elementsEqual(name) }
    }
}
