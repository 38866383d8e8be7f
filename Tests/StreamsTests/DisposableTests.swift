// SPDX-License-Identifier: Apache-2.0

import Streams
import Testing

@Suite struct DisposableTests {
    final class Given {
        private(set) var names: [String] = []
        func made(_ name: String) -> any Disposable {
            Disposables.create { self.names.append(name) }
        }
    }

    @Test func `a bag takes one, several, an array or a list, and lets go of all, in order`() {
        let given = Given()
        do {
            let bag = DisposeBag(disposing: given.made("a"), given.made("b"))
            bag.insert(given.made("c"))
            bag.insert(given.made("d"), given.made("e"))
            bag.insert([given.made("f")])
            bag.insert {
                given.made("g")
                given.made("h")
            }
            #expect(given.names == [])
        }
        #expect(given.names == ["a", "b", "c", "d", "e", "f", "g", "h"])
        do {
            _ = DisposeBag {
                given.made("i")
            }
        }
        #expect(given.names.last == "i")
    }

    @Test func `several disposables as one`() {
        let given = Given()
        Disposables.create([given.made("a"), given.made("b")]).dispose()
        Disposables.create(given.made("c"), given.made("d")).dispose()
        let composite = CompositeDisposable(disposables: [given.made("e"), given.made("f")])
        #expect(composite.count == 2)
        composite.dispose()
        composite.dispose()
        #expect(given.names == ["a", "b", "c", "d", "e", "f"])
    }

    @Test func `a boolean disposable remembers`() {
        let disposable = BooleanDisposable()
        #expect(!disposable.isDisposed)
        disposable.dispose()
        #expect(disposable.isDisposed)
        #expect(BooleanDisposable(isDisposed: true).isDisposed)
    }

    @Test
    func `what is assigned too late is given up at once, what is assigned twice is a mistake`()
        async
    {
        let given = Given()
        let disposable = SingleAssignmentDisposable()
        disposable.dispose()
        #expect(disposable.isDisposed)
        disposable.setDisposable(given.made("a"))
        #expect(given.names == ["a"])
        let early = SingleAssignmentDisposable()
        early.setDisposable(given.made("b"))
        #expect(given.names == ["a"])
        early.dispose()
        #expect(given.names == ["a", "b"])
        await #expect(processExitsWith: .failure) {
            let disposable = SingleAssignmentDisposable()
            disposable.setDisposable(Disposables.create())
            disposable.setDisposable(Disposables.create())
        }
    }

    @Test func `a counted disposable goes with its last user`() {
        let given = Given()
        let counted = RefCountDisposable(disposable: given.made("a"))
        let (first, second) = (counted.retain(), counted.retain())
        first.dispose()
        first.dispose()
        counted.dispose()
        #expect(counted.isDisposed)
        #expect(given.names == [])
        second.dispose()
        #expect(given.names == ["a"])
        counted.retain().dispose()
        counted.dispose()
        #expect(given.names == ["a"])
    }

    @Test func `an observer of something else`() {
        let log = Log<Int>()
        let subject = PublishSubject<Int>()
        log.listen(to: subject)
        let words = subject.mapObserver { (word: String) in
            guard let number = Int(word) else { throw Oops() }
            return number
        }
        words.onNext("1")
        words.onNext("x")
        words.onNext("2")
        #expect(log.lines == ["1", "#", "!"])
    }
}
