// SPDX-License-Identifier: Apache-2.0

import Foundation
import MarbledKit
import Streams
import Testing

@Suite struct JSONDecoderTests {
    struct Score: Decodable { var points: Int }

    @Test func `a stream of JSON is decoded, and what is none is an error`() {
        var lines: [String] = []
        Observable.of(#"{"points":3}"#, #"{"points":4}"#, "no")
            .map { Data($0.utf8) }
            .decode(type: Score.self, decoder: JSONDecoder())
            .subscribe(
                onNext: { lines.append("\($0.points)") }, onError: { _ in lines.append("#") })
        #expect(lines == ["3", "4", "#"])
    }
}
