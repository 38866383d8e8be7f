// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import MarbledHost
import Testing

/// What of HTTP is never shown.
@Suite struct RedactionTests {
    private let redaction = Redaction()

    @Test(arguments: [
        ("http://h/p", "http://h/p"), ("https://user:pass@h:8/p?a=b", "https://***@h:8/p?a=b"),
        ("http://a@b@h/", "http://***@h/"), ("http://h/p@q?x=y@z", "http://h/p@q?x=y@z"),
        ("http://h/?code=1&a=2&access_token=3", "http://h/?code=***&a=2&access_token=***"),
        ("http://h/?Client_Secret=1", "http://h/?Client_Secret=***"),
        ("http://h/?code", "http://h/?code"), ("http://h/?codex=1", "http://h/?codex=1"),
        ("http://h/#access_token=1&b=2", "http://h/#access_token=***&b=2"),
        ("http://h/?a=1#code=2", "http://h/?a=1#code=***"), ("", ""), ("://@", "://***@"),
        ("/cb?code=1", "/cb?code=***"), ("http://h/?code=a=b?code=c", "http://h/?code=***"),
        ("http://u:p@h?code=1", "http://***@h?code=***"),
        // What combines with a sign hides nothing.
        ("http://\u{301}u:p@h", "http://***@h"),
        ("http://h?\u{301}&code=1", "http://h?\u{301}&code=***"),
        ("http://h?a=\u{301}&code=\u{301}1", "http://h?a=\u{301}&code=***"),
        // A name means the same however it is escaped.
        ("http://h/?access%5Ftoken=1&a%=2", "http://h/?access%5Ftoken=***&a%=2"),
        ("http://h/#%43ODE=1&code%=2&cod%zz=3", "http://h/#%43ODE=***&code%=2&cod%zz=3"),
        ("http://h/?cod%65=1&%65=2&%ff=3", "http://h/?cod%65=***&%65=2&%ff=3"),
    ])
    func `a URL is shown without its secrets`(_ url: String, _ shown: String) {
        #expect(redaction.redact(url: url) == shown)
        #expect(redaction.redact(request: ["url": .string(url)]) == ["url": .string(shown)])
    }

    @Test func `headers are secret by their names, in any case`() {
        let request: JSONValue = [
            "headers": [
                "Authorization": "Bearer s", "COOKIE": "s", "proxy-authorization": "s",
                "Accept": "a",
                "Referer": "http://h/?code=s",
            ]
        ]
        #expect(
            redaction.redact(request: request) == [
                "headers": [
                    "Authorization": "***", "COOKIE": "***", "proxy-authorization": "***",
                    "Accept": "a", "Referer": "http://h/?code=***",
                ]
            ])
        #expect(
            redaction.redact(answer: [
                "status": 302,
                "headers": ["set-cookie": "s", "location": "http://u:p@h/?code=s"],
            ]) == [
                "status": 302,
                "headers": ["set-cookie": "***", "location": "http://***@h/?code=***"],
            ])
    }

    @Test(arguments: [
        (#"{"access_token": "s", "a": 1}"#, #"{"access_token": "***", "a": 1}"#),
        (
            #"{"a":{"b":[{"client_secret":"s\"s","c":2}]}}"#,
            #"{"a":{"b":[{"client_secret":"***","c":2}]}}"#
        ),
        (#"{"access_token":12.5,"b":1}"#, #"{"access_token":"***","b":1}"#),
        (#"{"access_token" : null }"#, #"{"access_token" : "***" }"#),
        (#"{"access_token":{"x":"}","y":[1]},"b":1}"#, #"{"access_token":"***","b":1}"#),
        (#"{"access\u005ftoken":"s","a\\b":1}"#, #"{"access\u005ftoken":"***","a\\b":1}"#),
        (#"["access_token","s"]"#, #"["access_token","s"]"#),
        (
            #"{"Access_Token":"s","ACCESS\u005fTOKEN":1}"#,
            #"{"Access_Token":"***","ACCESS\u005fTOKEN":"***"}"#
        ),
        (#"{"ä":1,"\u0043":"x","access@token":2}"#, #"{"ä":1,"\u0043":"x","access@token":2}"#),
        (#"{"a":"access_token","b":"x"}"#, #"{"a":"access_token","b":"x"}"#),
        (#"{"access_tokens":"x"}"#, #"{"access_tokens":"x"}"#),
        // Pieces that break off.
        (#"{"access_token":"half"#, #"{"access_token":"***""#),
        (#"{"access_token":"half\"#, #"{"access_token":"***""#),
        (#"{"access_token"#, #"{"access_token"#),
        (#","access_token":"s"}"#, #","access_token":"***"}"#),
        ("access_token=s&scope=x", "access_token=***&scope=x"), ("plain text", "plain text"),
        ("", ""),
    ])
    func `bodies of answers are shown without their secrets, and else as they are`(
        _ body: String, _ shown: String
    ) {
        #expect(redaction.redact(answer: ["body": .string(body)]) == ["body": .string(shown)])
    }

    @Test func `what is secret in a query is secret in a request's body too`() {
        let body: JSONValue = ["body": #"{"code":"s","b":1}"#]
        #expect(redaction.redact(request: body) == ["body": #"{"code":"***","b":1}"#])
        // In an answer a code is mostly one of an error.
        #expect(redaction.redact(answer: body) == body)
        #expect(redaction.redact(request: ["body": "code=s&x=y"]) == ["body": "code=***&x=y"])
    }

    @Test func `further names can be told`() {
        var redaction = Redaction()
        redaction.headers.insert("x-key")
        redaction.queryNames.insert("k")
        redaction.members.insert("pin")
        let request: JSONValue = [
            "url": "http://h/?k=s", "headers": ["X-Key": "s"], "body": #"{"pin":1}"#,
        ]
        #expect(
            redaction.redact(request: request) == [
                "url": "http://h/?k=***", "headers": ["X-Key": "***"], "body": #"{"pin":"***"}"#,
            ])
    }

    @Test func `only HTTP is looked at, and what is none passes`() {
        let request: JSONValue = ["url": "http://h/?code=s"]
        #expect(redaction.shown(request, of: "store") == request)
        #expect(redaction.shown(request, of: "http") != request)
        for odd: JSONValue in [nil, 5, "x", ["url": 5, "headers": [1], "body": ["code"]]] {
            #expect(redaction.redact(request: odd) == odd && redaction.redact(answer: odd) == odd)
        }
    }

    @Test
    func `options are shown without secrets, however they are spelled, and nothing else changes`() {
        let options: JSONValue = [
            "clientSecret": "s3cret", "access-token": "s3cret", "Refresh_Token": "s3cret",
            "clientID": "marbles", "apiURL": "http://me:s3cret@h/?code=s3cret&q=1", "perPage": 30,
            "id_token": 5, "client_secret": "", "words": ["client_secret"],
        ]
        let shown = Redaction().redact(options: options)
        #expect(!shown.text.contains("s3cret"), "\(shown.text)")
        #expect(shown["apiURL"] == "http://***@h/?code=***&q=1")
        for name in ["clientID", "perPage", "id_token", "client_secret", "words"] {
            #expect(shown[name] == options[name])
        }
        #expect(Redaction().redact(options: 5) == 5)
    }

    @Test func `records and open effects hold no secret, and the feature gets all`() throws {
        let probe = try ProbeLab()
        let instance = try probe.open(stubs: [
            [
                "http": "*/token*",
                "reply": ["value": ["status": 200, "body": #"{"access_token":"s3cret"}"#]],
            ],
            ["http": "*", "reply": ["never": true]],
        ])
        let url = "http://u:s3cret@h/token?code=s3cret"
        try instance.ask("http", ["url": .string(url), "headers": ["Cookie": "s3cret"]])
        try instance.ask("http", ["url": "http://h/x?code=s3cret"])
        try instance.run()
        let book = instance.lines.filter { $0.contains(" effect ") || $0.contains(" answer http") }
        #expect(book.count == 3 && !book.joined().contains("s3cret"), "\(book)")
        #expect(instance.openEffects.map(\.request.text) == [#"{"url":"http://h/x?code=***"}"#])
        #expect(try instance.said("answer").joined().contains("s3cret"))
    }
}
