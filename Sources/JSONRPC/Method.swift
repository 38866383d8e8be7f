// SPDX-License-Identifier: Apache-2.0

/// Who may call a method; a caller's level includes the ones below it.
package enum AccessLevel: String, Sendable, CaseIterable, Comparable {
    case read, control, admin

    package static func < (left: AccessLevel, right: AccessLevel) -> Bool {
        left.rank < right.rank
    }

    private var rank: Int {
        switch self {
        case .read: 0
        case .control: 1
        case .admin: 2
        }
    }
}

/// How a method takes its parameters.
package enum ParameterStyle: Sendable {
    /// In an object; an array is refused.
    case byName
    /// In an object, or in an array that follows the order of declaration.
    case byNameOrPosition
}

/// A method: its name, what it takes and gives, and the code that answers it.
///
/// Dispatch, help and `rpc.discover` all read this one declaration.
package final class Method<Context: AnyObject> {
    /// Answers a call, now or later. Throwing answers with the error, as long as the reply has been
    /// neither answered nor kept.
    package typealias Handler =
        (_ call: borrowing Call<Context>, _ reply: consuming Reply) throws(RPCError) -> Void

    package let name: StaticString
    package let level: AccessLevel

    /// One sentence.
    package let doc: String
    package let parameters: [Parameter]
    package let style: ParameterStyle

    /// The result's JSON Schema, as text.
    package let result: String

    /// The kinds of error that are its own, beside those that any call can end with.
    package let errors: [ErrorKind]

    /// Whether it is taken where as many calls are in flight as may be: it is what ends one of them.
    package let passesCallLimit: Bool
    let handler: Handler
    let matcher: ParameterMatcher

    package init(
        _ name: StaticString, level: AccessLevel, doc: String, parameters: [Parameter] = [],
        style: ParameterStyle = .byName, result: String = #"{"type":"object"}"#,
        errors: [ErrorKind] = [], passesCallLimit: Bool = false, handler: @escaping Handler
    ) {
        self.name = name
        self.level = level
        self.doc = doc
        self.parameters = parameters
        self.style = style
        matcher = ParameterMatcher(parameters, style: style)
        self.result = result
        self.errors = errors
        self.passesCallLimit = passesCallLimit
        self.handler = handler
    }
}

/// What a handler is told about the call that it answers; gone when it returns.
package struct Call<Context: AnyObject>: ~Copyable {
    // Safety: `context` is held by the caller of `process` and `method` by the router, both for longer
    // than a call lasts, and a call can be neither copied nor kept. Counting them costs 20 ns a call.

    /// Whose call it is: what the owner of the session passed to `process`.
    package unowned(unsafe) let context: Context
    package unowned(unsafe) let method: Method<Context>
    package let params: Params
}
