// SPDX-License-Identifier: Apache-2.0

internal import MarbledKit
internal import Streams

/// Where the bookmarks are kept, over HTTP.
struct BookmarkService {
    let http: HTTPEffect
    let url: String

    /// All bookmarks. Fails with a `BookmarksError`.
    func list() -> Single<[Bookmark]> {
        http.get(url).map { response in
            guard (200..<300).contains(response.status) else { throw BookmarksError.networkError }
            return try Self.read(response.body ?? "")
        }
        .catch { .error($0 as? BookmarksError ?? .networkError) }
    }

    private static func read(_ body: String) throws -> [Bookmark] {
        var body = body
        return try body.withUTF8 { bytes in
            guard let list = try? [Bookmark].decode(UnsafeRawBufferPointer(bytes)) else {
                throw BookmarksError.decodingError
            }
            return list
        }
    }
}
