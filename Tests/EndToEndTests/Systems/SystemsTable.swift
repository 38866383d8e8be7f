// SPDX-License-Identifier: Apache-2.0

/// Every promise of every system: the one place that says what each must do, and where that is shown.
///
/// `SystemsPageTests` sees to it that all of it exists and passes, and that every scenario is named here.
enum SystemsTable {
    static let systems = [findNumber, githubSearch, bookmarks, tabFeed, mateList, counter]

    private static let findNumber = System(
        plugin: "FindNumber", title: "find-number, the game",
        rows: [
            .row(
                "start", "gameStart asks for a number, reply 2 at 10: target 0:1 10:2, round 0:1",
                tests: ["start: a game that starts asks for a number and shows it"],
                scenarios: ["start"]),
            .row(
                "stage",
                "a right guess adds one to round and current record and asks anew, a wrong one resets both and asks nothing; the best record and an equal target are said again",
                tests: [
                    "stage: right guesses move the stage on, a wrong one starts it again",
                    "stage: the table holds through the boundary",
                ], scenarios: ["stage"],
                socket: ["stage, by hand: send, advance, and read the record"]),
            .row(
                "reset", "resetStage at 20: round 1, both records 0, each said again",
                tests: ["reset: every state is said again"], scenarios: ["reset"]),
            .row(
                "observers", "cold streams of 4, 5 and 3 at 10 come out between the game's own",
                tests: ["observers: they hear the game and whatever else is put into them"],
                scenarios: ["observers"]),
            .row(
                "network error", "a request that fails is told as networkError; the game goes on",
                tests: [
                    "network error: a request that fails is told",
                    "the game goes on after a failed request",
                ], scenarios: ["network-error"],
                socket: [
                    "a service that refuses is a network error, and one that says nonsense a decoding error"
                ]),
            .row(
                "decoding error",
                "an answer that is no list of one integer is told as decodingError; the game goes on",
                tests: [
                    "decoding error: an answer that is no list of one integer is told",
                    "the game goes on after a failed request",
                ], scenarios: ["decoding-error"],
                socket: [
                    "a service that refuses is a network error, and one that says nonsense a decoding error"
                ]),
            .row(
                "the service", "base URL, min and max are options, and stand in the request",
                tests: ["the request names the range that was chosen"], scenarios: ["service"],
                socket: [
                    "the game fetches its number over HTTP, keeps the connection, and survives a failure"
                ]),
            .row(
                "the local source", "without a network a generator with a seed draws the numbers",
                tests: ["the same seed plays the same game"], scenarios: ["local-source"],
                socket: ["two runs of the same thing give the same bytes"]),
            .row(
                "a slow network", "an answer that is late delays the number and nothing else",
                tests: ["a slow answer delays the number and nothing else"],
                scenarios: ["slow-network"]),
            .row(
                "the store",
                "the best record survives a restart, and only a better one is stored in its place; virtual instances keep theirs in memory",
                tests: [
                    "the best record is what the store has kept",
                    "a record that comes late is not overwritten by a smaller one",
                    "a better record of somebody else stays",
                ], scenarios: ["restored", "restored-late"],
                socket: [
                    "the best record survives a restart",
                    "a game that ends before the store has answered takes nothing from the record",
                    "virtual instances touch no file",
                ]),
            .row(
                "live",
                "the service answers with status 200 within 3 s, read by a thread that waits for the first value; skipped, and said so, where it cannot be reached",
                others: [
                    .init(
                        target: "EndToEndTests",
                        sentence:
                            "the service on the network answers with status 200 within three seconds"
                    )
                ],
                socket: [
                    "the status that a service on this machine answers is waited for and read"
                ],
                because: "a scenario runs in virtual time, which never reaches the network"),
        ])

    private static let githubSearch = System(
        plugin: "GitHubSearch", title: "github-search, the search",
        rows: [
            .row(
                "typing",
                "fast typing makes one request, for what was typed last; eight repositories are read",
                tests: [
                    "typing fast makes one request, for what was typed last",
                    "a search is a typed request that becomes HTTP", "the fixtures are read",
                ], scenarios: ["typing"],
                socket: ["typing fast is one request to the server and one answer to the client"]),
            .row(
                "overtaken", "a search that is overtaken is given up and never shown",
                tests: ["a search that is overtaken is given up and never shown"],
                scenarios: ["overtaken"]),
            .row(
                "nothing found", "an empty answer shows nothing; an emptied field asks nothing",
                tests: ["an emptied field empties the results without a request"],
                scenarios: ["empty"]),
            .row(
                "pages", "one at a time, to the last",
                tests: [
                    "pages come one at a time, to the last",
                    "a page that failed is asked for again by the next wish for more",
                ], scenarios: ["paging"], socket: ["page after page comes, and no page twice"]),
            .row(
                "signing in",
                "a code is exchanged for a token, which later requests carry: the person and their stars",
                tests: [
                    "a person signs in and sees themselves and their stars",
                    "the code is exchanged as a form, and later requests carry the token",
                ], scenarios: ["sign-in"],
                socket: ["a person signs in and gives a star, and the token is nowhere to be read"]),
            .row(
                "refused: the code", "bad_verification_code is an error of its own",
                tests: ["a refused sign-in is status 200 and an error of its own"],
                scenarios: ["sign-in-bad-code"],
                socket: ["each refusal of a sign-in is an error of its own"]),
            .row(
                "refused: the redirect", "redirect_uri_mismatch is an error of its own",
                tests: ["a refused sign-in is status 200 and an error of its own"],
                scenarios: ["sign-in-bad-redirect"],
                socket: ["each refusal of a sign-in is an error of its own"]),
            .row(
                "refused: the application", "incorrect_client_credentials is an error of its own",
                tests: ["a refused sign-in is status 200 and an error of its own"],
                scenarios: ["sign-in-bad-client"],
                socket: ["each refusal of a sign-in is an error of its own"]),
            .row(
                "other refusals", "are told, and another code can be tried",
                tests: ["another answer to a sign-in is told"], scenarios: ["sign-in-failures"]),
            .row(
                "stars", "are given and taken back in the order of the wishes",
                tests: [
                    "a star is a PUT, taking it back a DELETE, and names are encoded",
                    "of a star that is given and taken back at once the taking back comes last",
                ], scenarios: ["star"],
                socket: ["a person signs in and gives a star, and the token is nowhere to be read"]),
            .row(
                "any failure",
                "any request can fail or be answered by any status; outside 200 to 299 is an error",
                tests: ["any request may be answered by any status, and fails with that"],
                scenarios: ["any-failure", "forbidden"]),
            .row(
                "decoding", "a body that is something else is an error that says where",
                tests: ["a body that is something else is a decoding error that says where"],
                scenarios: ["decoding-error"]),
            .row(
                "retries",
                "a failure that may pass is tried again, twice as late each time and a little later by chance",
                tests: [
                    "a failure that may pass is tried again, twice as late each time",
                    "the last error is told when it was tried often enough",
                    "the wait has a part by chance, up to half of it, the same for the same seed",
                ], scenarios: ["retry", "retry-exhausted", "back-off-by-chance"]),
            .row(
                "rate limits", "rest is taken as GitHub asks for it, and told with its end",
                tests: ["it waits on the instance's clock as GitHub asks, says so, and goes on"],
                scenarios: ["rate-limit"],
                socket: ["a used up quota is an error that says until when"]),
            .row(
                "a slow network", "the search is loading until the answer comes",
                tests: ["typing fast makes one request, for what was typed last"],
                scenarios: ["slow-network"]),
            .row(
                "another GitHub", "base URLs are options: Enterprise, or a local server",
                tests: ["a token goes to the API alone"], scenarios: ["enterprise"],
                socket: ["typing fast is one request to the server and one answer to the client"]),
        ])

    private static let bookmarks = System(
        plugin: "Bookmarks", title: "bookmarks, a reactor",
        rows: [
            .row(
                "toggling", "toggleBookmarked twice: true, then false",
                tests: [
                    "toggleBookmarked twice: true, then false",
                    "a mutation changes its part of the state, and no other",
                ], scenarios: ["toggle"]),
            .row(
                "refreshing", "at 100, observed from 0 to 1000: not loading, loading, not loading",
                tests: [
                    "refresh at 100, observed from 0 to 1000: not loading, loading, not loading"
                ], scenarios: ["refresh"]),
            .row(
                "overtaking", "a refresh gives up the one that is loading, at that instant",
                tests: ["a refresh overtakes the one that runs, at its own instant"],
                scenarios: ["refresh-while-loading"]),
            .row(
                "slow, or silent", "the flag never waits for the network",
                tests: ["a refresh says that it loads, what it loaded, and that it is done"],
                scenarios: ["slow-network", "lost-answer"]),
            .row(
                "failures", "are told, and what is shown stays",
                tests: [
                    "a refresh that fails says so, and is done", "errors are told as their words",
                ],
                scenarios: ["failing-network", "decoding-error", "failing-store"]),
            .row(
                "keeping", "the flag is kept in the store, and restored",
                tests: [
                    "the flag is kept, and restored by the next copy",
                    "what was chosen before the store answered stays",
                ], scenarios: ["restored", "restored-late"]),
            .row(
                "view → reactor",
                "the stub runs neither mutate nor reduce, and logs what was sent",
                tests: ["view to reactor: every input sends its action, and nothing else happens"],
                others: [
                    .init(
                        target: "MarbledKitTests",
                        sentence: "on, it logs what is sent and no logic runs")
                ],
                because: "the stub stands in the reactor's place inside the process"),
            .row(
                "reactor → view", "states that the stub is given from outside are shown",
                tests: [
                    "reactor to view: every part of the state is shown, and only when it changes"
                ],
                others: [
                    .init(
                        target: "MarbledKitTests",
                        sentence: "its state drives the stream and the current state")
                ], because: "the stub stands in the reactor's place inside the process"),
            .row(
                "the transforms", "of actions, mutations and states, each in its place",
                others: [
                    .init(
                        target: "MarbledKitTests",
                        sentence: "an action goes through every stage, in order"),
                    .init(
                        target: "MarbledKitTests",
                        sentence: "what happens by itself is merged into the mutations"),
                ],
                because: "bookmarks needs none; they are how a reactor is built, not what it says"),
            .row(
                "re-entrancy", "an action sent from a state's observer is queued, never nested",
                tests: ["a flag turned over by who sees it turn is kept in order"],
                others: [
                    .init(
                        target: "MarbledKitTests",
                        sentence:
                            "an action is never done inside another, whoever sends it, whenever")
                ],
                because: "whoever observes from inside is in the process"),
        ])

    private static let tabFeed = System(
        plugin: "TabFeed", title: "tab-feed, slow networks",
        rows: [
            .row(
                "the table",
                "selected at 0, 100, 105, 200 and each page 50 late: 50, never, 155, 250",
                tests: [
                    "the table: who is overtaken never comes, and is given up at that instant",
                    "a request that is overtaken is cancelled at that very instant",
                ], scenarios: ["overtaken"]),
            .row(
                "never", "a service that never answers leaves the tab loading",
                tests: ["never: the tab stays loading and shows nothing"], scenarios: ["never"],
                socket: ["what a server that never answers keeps waiting is plain to see"]),
            .row(
                "immediate", "a page that is there at once is shown at once",
                tests: ["immediate: the page is there within the selection"],
                scenarios: ["immediate"]),
            .row(
                "released by hand", "the page comes when the test says so",
                tests: ["released by hand: the page comes when the test says so"],
                scenarios: ["released"]),
            .row(
                "failures", "are told, but not of a page that was overtaken",
                tests: ["a failure is told, and the next tab is asked for all the same"],
                scenarios: ["failures", "overtaken-failure"]),
            .row(
                "a crowd", "a thousand feeds in one process do not touch each other",
                tests: ["a thousand feeds in parallel tasks do not touch each other"],
                socket: ["a thousand feeds in one daemon do not see each other's delays"],
                because: "a scenario is of one instance"),
        ])

    private static let mateList = System(
        plugin: "MateList", title: "mate-list, a scene",
        rows: [
            .row(
                "mates",
                "the interactor asks the use case and hands the presenter exactly that list; a later request overtakes",
                tests: [
                    "asked for mates it asks the use case and hands the presenter exactly that list",
                    "later mates overtake earlier ones, pictures overtake nothing",
                ], scenarios: ["mates"]),
            .row(
                "pictures", "come as they come, each with its mate",
                tests: ["asked for a picture it hands the presenter that picture"],
                scenarios: ["images"]),
            .row(
                "failures", "reach the presenter, and it goes on",
                tests: ["every failure reaches the presenter", "it goes on after a failure"],
                scenarios: ["database-failures"]),
            .row(
                "profile drop", "connects, takes the profile, disconnects",
                tests: [
                    "a drop connects, takes the profile and disconnects",
                    "every wish of the view has its answer at its time",
                ], scenarios: ["drop", "again"]),
            .row(
                "quit", "what comes after it is not shown, and the connection ends",
                tests: [
                    "quit while it looks for somebody: nobody is connected, whoever is found later",
                    "quit while connected: the device is told, and a profile that comes later is lost",
                ], scenarios: ["quit"]),
            .row(
                "the device", "absent, alone or cut off it is an error and no crash",
                tests: [
                    "a device that is absent is an error, and the scene goes on",
                    "a connection that breaks is told, and is over",
                ], scenarios: ["no-device", "nearby-failures"]),
            .row(
                "the five doubles",
                "a dummy, fakes, stubs, a spy and a mock take the parts' places",
                tests: [
                    "asked for mates it asks the use case and hands the presenter exactly that list",
                    "the mates of a user are shown by name, the ids deciding among equals",
                    "a drop connects, takes the profile and disconnects",
                    "a quit without a drop asks nothing of the device",
                ], because: "doubles stand in for parts inside the process; in data, stubs do"),
        ])

    private static let counter = System(
        plugin: "Counter", title: "counter, a plugin in plain C",
        rows: [
            .row(
                "add and reset",
                "what is added is counted; a reset begins again; past the limit an overflow is told",
                tests: [
                    "both ends of 64 bits overflow and wrap nowhere",
                    "what is no integer of 64 bits is refused and counts nothing",
                ], scenarios: ["add", "overflow"]),
            .row(
                "the timer", "it counts by the clock from a start to a stop",
                tests: ["a stop takes the timer and the draw back"],
                scenarios: ["tick", "random-step"]),
            .row(
                "the store", "the count is there again; a store that fails is told, and it goes on",
                tests: ["what was counted is there for the next that shares the store"],
                scenarios: ["restored", "restored-late", "unusable-store"]),
            .row(
                "the end", "one that goes away in the middle calls nobody",
                tests: ["a counter that goes away in the middle calls nobody"],
                because: "a scenario runs to its end"),
        ])
}
