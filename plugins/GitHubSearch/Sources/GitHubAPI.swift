// SPDX-License-Identifier: Apache-2.0

package import MarbledKit
package import Streams

/// Sends requests to GitHub, and is as patient as GitHub asks for.
///
///     send         s---------------
///     transport    r-#--r-#-----r-a     sent again after a failure that may pass
///     answer       ---------------(a|)  or the last error, after `retries`
///
/// The transport is what carries a request: the http effect, or a function of a test. An answer whose
/// status is not one of success is an error. Fails with `GitHubError`. Loop-confined.
package final class GitHubAPI {
    /// Carries one request; disposing gives it up.
    package typealias Transport = (HTTPRequest) -> Single<HTTPResponse>

    /// Told when GitHub asks for rest and a request waits for that: `rateLimited`.
    package let delays = PublishRelay<GitHubError>()

    private let options: GitHubSearch.Options
    private let transport: Transport
    private let wallClock: WallClockEffect
    private let rests: Rests
    private let backOff: BackOff
    private var token: AccessToken?

    package init(
        _ context: FeatureContext, options: GitHubSearch.Options, transport: @escaping Transport
    ) {
        self.options = options
        self.transport = transport
        wallClock = context.wallClock
        rests = Rests(scheduler: context.scheduler)
        backOff = BackOff(first: options.backOff, random: context.random)
    }

    /// Exchanges a code for a token, which later requests carry.
    package func signIn(code: String) -> Single<Void> {
        send(.accessToken(code: code, options: options)).map { [self] in token = $0 }
    }

    /// Sends a request, as often as it makes sense.
    package func send<Answer>(_ request: GitHubRequest<Answer>) -> Single<Answer> {
        attempt(request).retry(when: { failures in
            failures.enumerated().flatMap { retry, failure in
                let error = GitHubError(failure)
                guard request.isIdempotent, error.isTransient, retry < self.options.retries else {
                    throw error
                }
                return self.wait(before: retry, after: error)
            }
        })
    }

    /// Emits when a request may be sent again.
    private func wait(before retry: Int, after error: GitHubError) -> Observable<Void> {
        guard error.kind == .rateLimited else { return backOff.wait(before: retry) }
        // The next attempt finds the rest by itself.
        delays.accept(error)
        return .just(())
    }

    private func attempt<Answer>(_ request: GitHubRequest<Answer>) -> Single<Answer> {
        .deferred { [self] in
            guard token != nil || !request.needsToken else { throw GitHubError(.notSignedIn) }
            let url = request.site == .api ? options.apiURL : options.signInURL
            let message = request.http(to: url, token: token)
            return rests.pass(request.quota)
                .flatMap { self.transport(message) }
                .flatMap { self.judge($0, request.quota) }
                .map(request.read)
        }
    }

    /// Passes an answer of success on; anything else is an error.
    private func judge(_ response: HTTPResponse, _ quota: Quota) -> Single<HTTPResponse> {
        guard !response.isSuccess else { return .just(response) }
        guard let limit = RateLimit(response) else {
            return .error(GitHubError(.status, status: response.status))
        }
        return wallClock.now().map { [rests] now in
            rests.begin(quota, for: limit.rest(at: now))
            throw GitHubError(.rateLimited, until: limit.end(at: now))
        }
    }
}
