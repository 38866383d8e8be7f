// SPDX-License-Identifier: Apache-2.0

import MarbledKit
import Testing

@Suite("Queries of URLs")
struct URLQueryTests {
    @Test func `names and values stand in the order they are given`() {
        let query: URLQuery = ["q": "swift", "page": "2", "a": "", "q": "c"]
        #expect("\(query)" == "q=swift&page=2&a=&q=c")
        #expect("\([:] as URLQuery)" == "")
    }

    @Test(arguments: [
        ("AZaz09-._~", "AZaz09-._~"), ("a b", "a%20b"), ("a+b&c=d", "a%2Bb%26c%3Dd"),
        ("50%", "50%25"), ("owner/name?x#y", "owner%2Fname%3Fx%23y"), ("ü😀", "%C3%BC%F0%9F%98%80"),
        ("a\nb", "a%0Ab"),
    ])
    func `what has a meaning in a URL is percent-encoded`(_ text: String, _ encoded: String) {
        #expect(URLQuery.encode(text) == encoded)
        #expect("\([text: text] as URLQuery)" == "\(encoded)=\(encoded)")
    }
}
