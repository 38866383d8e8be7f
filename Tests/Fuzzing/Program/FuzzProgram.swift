// SPDX-License-Identifier: Apache-2.0

internal import FuzzSubjects

// What libFuzzer's `main` calls. The subject is the program's own name, `fuzz-framing`: the fuzzer starts
// itself again by that name, and words of the command line would not come along.

private let subject: FuzzSubject = {
    let word = CommandLine.arguments.first?.split(separator: "/").last ?? ""
    guard word.hasPrefix("fuzz-"), let subject = FuzzSubject.named(String(word.dropFirst(5))) else {
        let names = FuzzSubject.all.map { "fuzz-\($0.name)" }.joined(separator: " ")
        fatalError("start this program by one of the names \(names)")
    }
    return subject
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func runOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
        try subject.check(Array(UnsafeBufferPointer(start: start, count: count)))
        return 0
    } catch {
        fatalError("found in \(subject.name): \(error)")
    }
}
