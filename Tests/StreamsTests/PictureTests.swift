// SPDX-License-Identifier: Apache-2.0

import Foundation
import Marbles
import Streams
import Testing

/// The pictures in the comments of Sources/Streams, drawn by the operators themselves.
///
/// A lane whose label is in `Drawings` is a result; what stands above it feeds it.
@Suite struct PictureTests {
    struct Lane: CustomTestStringConvertible, Sendable {
        let file: String
        let declaration: String
        let line: Int
        let label: String
        var testDescription: String { "\(label) in \(file):\(line)" }
    }

    static let results: [(lane: Lane, inputs: [Picture.Row], row: Picture.Row)] =
        SourceComments.declarations.flatMap { declaration in
            declaration.pictures.flatMap { picture in
                picture.results.map { row, inputs in
                    let lane = Lane(
                        file: declaration.file, declaration: declaration.name, line: row.line,
                        label: row.label)
                    return (lane, inputs, row)
                }
            }
        }

    @Test(arguments: results.map(\.lane))
    func `what a comment shows is what happens`(lane: Lane) throws {
        let result = try #require(
            Self.results.first { $0.lane.line == lane.line && $0.lane.file == lane.file })
        let drawing = try #require(Drawings.named(lane.label))
        let outcome = try PictureBench(inputs: result.inputs).play(drawing, as: result.row)
        #expect(outcome.faults.isEmpty, "\(lane.testDescription): \(outcome.faults)")
        #expect(outcome.isAsExpected, "\(lane.testDescription)\n\(outcome.difference)")
    }

    @Test func `every operator has a picture`() {
        let declarations = SourceComments.declarations
        let drawn = declarations.filter { declaration in
            declaration.pictures.contains { !$0.results.isEmpty }
        }
        let names = Set(drawn.map(\.name.withoutArity))
        // A label begins with the name of what it shows.
        let words = Set(
            drawn.flatMap(\.pictures).flatMap(\.results).map {
                String($0.row.label.prefix { $0.isLetter })
            })
        for declaration in declarations where declaration.isOperator {
            // The same operator on a trait means what it means on an observable.
            let isTheOriginal =
                ["ObservableType", "ConnectableObservable"].contains(declaration.context)
            let isDrawn =
                names.contains(declaration.name.withoutArity)
                || !isTheOriginal && words.contains(declaration.baseName)
                || declaration.baseName == "asObservable"
            #expect(isDrawn, "\(declaration.name) in \(declaration.file):\(declaration.line)")
        }
    }

    @Test func `every picture shows a result`() {
        for declaration in SourceComments.declarations {
            for picture in declaration.pictures where picture.results.isEmpty {
                Issue.record(
                    "no lane of the picture at \(declaration.file):\(picture.rows[0].line) is known"
                )
            }
        }
    }

    @Test func `every drawing belongs to a picture`() {
        let labels = Set(Self.results.map(\.lane.label))
        let stale = Drawings.all.map(\.label).filter { !labels.contains($0) }
        #expect(stale == [])
    }

    @Test func `the comments are found, with all that stands in them`() throws {
        let declarations = SourceComments.declarations
        #expect(declarations.filter(\.isOperator).count > 200)
        let take = try #require(declarations.first { $0.name == "take(until:behavior:)" })
        #expect(take.context == "ObservableType")
        #expect(take.pictures.map { $0.rows.map(\.label) }.count == 1)
        let text = """
            extension ObservableType {
                /// Shows something.
                ///
                ///     source      -a-|
                ///     1 makes       b|      x is [a, b], y is c
                @inlinable
                public func `do`<A>(
                    _ first: @escaping (A, B) -> C, named second: [A] = [],
                    third: Int
                ) -> Observable<A> {
            """
        let found = try #require(SourceComments.declarations(in: text, file: "x").first)
        #expect(found.name == "do(_:named:third:)")
        #expect(found.result == "Observable<A>")
        let row = try #require(found.pictures.first?.rows.last)
        #expect(row.label == "1 makes")
        #expect(row.lane == "b|")
        #expect(row.offset == 2)
        #expect(row.names == ["x": "[a, b]", "y": "c"])
    }
}

extension Picture {
    /// The lanes that are known to `Drawings`, each with what stands above it.
    var results: [(row: Row, inputs: [Row])] {
        rows.filter { Drawings.labels.contains($0.label) }.map { row in
            (row, rows.filter { !Drawings.labels.contains($0.label) })
        }
    }
}

extension String {
    /// Two streams and three are combined alike: `zip(_:_:resultSelector:)` is `zip(_:resultSelector:)`.
    fileprivate var withoutArity: String {
        guard let double = firstRange(of: "_:_:") else { return self }
        return replacingCharacters(in: double, with: "_:").withoutArity
    }
}

extension PictureBench.Outcome {
    var isAsExpected: Bool { MarbleDiagram(expected) == MarbleDiagram(actual) }

    /// Both lanes under each other, with a caret.
    var difference: String {
        "\(MarbleComparison([.init("result", expected: expected, actual: actual)]))"
    }
}
