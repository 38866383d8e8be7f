// SPDX-License-Identifier: Apache-2.0

/// The owner of a connection, as the connection sees it. All calls come on the loop's thread.
///
///     resumeReading  (readBuffer didRead)*  peerClosed?   ...   didClose
///
/// Any of them but `readBuffer` may call any verb of the connection. Nothing follows `didClose`.
package protocol SocketConnectionDelegate: AnyObject {
    /// Where the next bytes are to be put: a writable region that is not empty and stays in place until
    /// `didRead` or the next call of this. The socket reads straight into it; it may go unused. It
    /// says where and does nothing else: an owner that runs out of room pauses in `didRead`.
    func readBuffer(for connection: SocketConnection) -> UnsafeMutableRawBufferPointer

    /// `count` bytes, one or more, stand at the beginning of the region given last.
    func connection(_ connection: SocketConnection, didRead count: Int)

    /// The peer will send nothing more. It may still listen: a peer that shut down its sending half
    /// waits for its answers. The delegate decides: `finish()` once it has written all, or more writes.
    ///
    /// From here on nothing shows that such a peer vanishes, except the next write.
    func connectionPeerClosed(_ connection: SocketConnection)

    /// Nothing waits any more, after something did.
    func connectionDidDrain(_ connection: SocketConnection)

    /// The connection is over and its descriptor closed. Told once, from the loop and never from inside
    /// a verb; after this the connection lets go of its delegate.
    func connection(
        _ connection: SocketConnection, didCloseBecause reason: SocketConnection.CloseReason)
}
