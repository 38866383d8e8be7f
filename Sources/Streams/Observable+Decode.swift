// SPDX-License-Identifier: Apache-2.0

/// Whatever makes values of a text or of bytes: JSON decoders and their kind.
public protocol DataDecoder<Input> {
    /// What it reads.
    associatedtype Input

    /// The value that `data` spells; throws when it spells none.
    func decode<Item: Decodable>(_ type: Item.Type, from data: Input) throws -> Item
}

extension ObservableType {
    /// Emits the value that each text or block of bytes spells; one that spells none is an error.
    ///
    ///     source                                      -a-b-c-|
    ///     decode(type: Hex.self, decoder: decoder)    -x-y-z-|      x is 10, y is 11, z is 12
    public func decode<Item: Decodable, Decoder: DataDecoder>(
        type: Item.Type, decoder: Decoder
    ) -> Observable<Item> where Decoder.Input == Element {
        map { try decoder.decode(type, from: $0) }
    }
}
