// SPDX-License-Identifier: Apache-2.0

/// Open instances by their names.
///
/// Calls name an instance in bytes, mostly one that was named a moment ago: those are found without
/// making a string or hashing one.
struct InstanceTable {
    private var all: [String: Instance] = [:]
    /// Instances asked for lately, each at the place that its name's bytes give; nothing that is closed.
    private var recent = [Instance?](repeating: nil, count: Self.places)
    private static let places = 64

    var count: Int { all.count }
    var values: Dictionary<String, Instance>.Values { all.values }

    subscript(name: String) -> Instance? {
        get { all[name] }
        set {
            var name = name
            let place = name.withUTF8 { Self.place(UnsafeRawBufferPointer($0)) }
            recent[place] = nil
            all[name] = newValue
        }
    }

    subscript(name: UnsafeRawBufferPointer) -> Instance? {
        mutating get {
            let place = Self.place(name)
            if let instance = recent[place], instance.nameBytes.elementsEqual(name) {
                return instance
            }
            // By its bytes: the dictionary would find it under another spelling too.
            guard let instance = all[String(decoding: name, as: UTF8.self)],
                instance.nameBytes.elementsEqual(name)
            else { return nil }
            recent[place] = instance
            return instance
        }
    }

    /// Names that are counted up differ in their last bytes.
    private static func place(_ name: UnsafeRawBufferPointer) -> Int {
        var mixed: UInt8 = 0
        for byte in name.suffix(4) { mixed = mixed &* 31 &+ byte }
        return Int(mixed) % places
    }
}
