// SPDX-License-Identifier: Apache-2.0

extension ObservableType {
    /// Writes a line for the subscription, each event and the disposal to `output`.
    ///
    ///     source    -a-b-|
    ///     debug     -a-b-|
    ///
    /// - Parameters:
    ///   - identifier: what the lines begin with; the place in the source unless given.
    ///   - trimOutput: whether a value's text is cut after 40 characters.
    ///   - output: where lines go; the standard output unless given.
    public func debug(
        _ identifier: String? = nil, trimOutput: Bool = false, file: String = #fileID,
        line: UInt = #line, output: @escaping (String) -> Void = { print($0) }
    ) -> Observable<Element> {
        let source = asObservable()
        let name = identifier ?? "\(file):\(line)"
        return AnonymousObservable { sink, subscription in
            func write(_ event: Event<Element>) {
                let text = "\(event)"
                let isLong = trimOutput && text.count > 40
                output("\(name) -> \(isLong ? "\(text.prefix(20))…\(text.suffix(19))" : text)")
            }
            output("\(name) -> subscribed")
            var isOver = false
            subscription.onDispose { if !isOver { output("\(name) -> disposed") } }
            source.attach(
                Sink(
                    next: { element in
                        write(.next(element))
                        sink.next(element)
                    },
                    end: { termination in
                        isOver = true
                        write(termination.event())
                        sink.end(termination)
                    }),
                subscription)
        }
    }
}
