// SPDX-License-Identifier: Apache-2.0

internal import CCurl
import Glibc

extension HTTPError {
    /// What libcurl's way of ending a transfer means. Asks the transfer for details, so it is still there.
    init(_ code: CURLcode, of call: HTTPCall, on easy: UnsafeMutableRawPointer) {
        let words = String(cString: marbled_easy_strerror(code))
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST:
            self.init(.resolve, of: call, "the name of the host is not known")
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY:
            self.init(
                .proxy, of: call,
                "the proxy cannot be used: \(words); see http_proxy, https_proxy"
                    + " and all_proxy in the daemon's environment")
        case CURLE_COULDNT_CONNECT:
            self.init(connecting: call, CInt(marbled_easy_get_long(easy, CURLINFO_OS_ERRNO)), words)
        case CURLE_OPERATION_TIMEDOUT:
            self.init(.timeout, of: call, words)
        case CURLE_GOT_NOTHING:
            self.init(.reset, of: call, "the connection was closed before any answer came")
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_PARTIAL_FILE, CURLE_HTTP2_STREAM:
            let status = marbled_easy_get_long(easy, CURLINFO_HTTP_CONNECTCODE)
            if status >= 300 {
                self.init(.proxy, of: call, "the proxy answered \(status)")
            } else {
                self.init(.reset, of: call, "the connection ended before the answer did")
            }
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING,
            CURLE_HTTP2:
            self.init(.badAnswer, of: call, "what came is not HTTP: \(words)")
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            self.init(
                .tls, of: call,
                "the server's certificate is not to be trusted: \(words); an authority"
                    + " of your own is named by http.authorities in the configuration")
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED,
            CURLE_USE_SSL_FAILED, CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_CRL_BADFILE,
            CURLE_SSL_CLIENTCERT:
            self.init(.tls, of: call, "no secure connection could be made: \(words)")
        case CURLE_URL_MALFORMAT:
            self.init(.badRequest, of: call, "the URL is none")
        default:
            self.init(.failed, of: call, words)
        }
    }

    private init(connecting call: HTTPCall, _ number: CInt, _ words: String) {
        switch number {
        case ECONNREFUSED:
            self.init(
                .refused, of: call,
                "the connection was refused; is the service running there, and the proxy if"
                    + " the daemon's environment names one?")
        case ETIMEDOUT:
            self.init(.timeout, of: call, "the kernel gave up connecting")
        case ECONNRESET:
            self.init(.reset, of: call, "the connection was reset while it was being made")
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN, EADDRNOTAVAIL:
            self.init(.unreachable, of: call, "no way leads to the host")
        default:
            self.init(.unreachable, of: call, words)
        }
    }
}
