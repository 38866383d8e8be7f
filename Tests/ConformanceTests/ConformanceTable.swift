// SPDX-License-Identifier: Apache-2.0

/// Every row, in order: the one place that says what is demanded, by whom, and how far we agree.
///
/// The tests are found by their names; see `ConformancePage`.
enum ConformanceTable {
    static let rows = rxSwiftRows + blockingRows + handDrivenRows + rxJSRows + elsewhereRows

    /// Rows 1 to 58: RxSwift with RxTest.
    private static let rxSwiftRows: [ConformanceRow] = [
        .row(
            1, "RxSwift, virtual scheduler: initial clock",
            "tick 10 of ten seconds is 100 s after the origin"),
        .row(
            2, "· start",
            "an action at 1 that queues work for now and for 2 later is seen at 1, 1, 3"),
        .row(
            3, "· disposal, by start and by advance",
            "what an action cancels of its own making never runs"),
        .row(4, "· advance past the work", "an advance to 10 sees 1, 1, 3"),
        .row(5, "· advance onto the work", "an advance to 1 is inclusive, also for work made at 1"),
        .row(6, "· stop", "a stop inside the first action leaves the rest queued"),
        .row(7, "· sleep", "ten busy ticks inside an action move the rest to 11 and 13"),
        .row(8, "· stress", "20,000 random due times come out in order"),
        .row(
            9, "RxSwift, historical scheduler: all eight",
            "the same on date time: 10, 10, 30 s; with sleep 10, 110, 130 s"),
        .row(
            10, "RxSwift, delay: simple 1 to 3",
            "everything 100, 50 or 150 later, the end too; the source is given up at its own end"),
        .row(11, "· error", "an error at 250 is not delayed"),
        .row(12, "· completed", "an end at 250 without values becomes 400"),
        .row(13, "· error 1", "with a delay of 50 the values are out before the error at 550"),
        .row(14, "· error 2", "with a delay of 150 the last value is lost to the error at 550"),
        .row(15, "· positive", "the whole record moves by 42; events before 200 are gone"),
        .row(
            16, "RxSwift, delaySubscription: simple, error",
            "sub 230–300, values 280 and 290, end or error at 300"),
        .row(17, "· dispose", "a disposal at 291 closes the log: 230–291"),
        .row(
            18, "RxSwift, timeout: due time, simple",
            "gaps below 30 are no timeout; the end is at 260"),
        .row(19, "· on the very deadline", "a value on the deadline beats the timer"),
        .row(20, "· too late", "with a limit of 25: an error at 245, sub 200–245"),
        .row(
            21, "· disposed", "a value at the instant of the disposal, 370, is delivered", .rxTest),
        .row(22, "· occurs 1", "the other stream is joined at 300: 350, 500, 610, end 620"),
        .row(
            23, "· occurs 2", "each value sets the limit anew; the switch is at 410, the end at 730"
        ),
        .row(24, "· occurs, late end or error", "after the switch the source's end is not heard"),
        .row(25, "· occurs, next is an error", "the other stream's error arrives at 400"),
        .row(26, "RxSwift, throttle: not latest, completed", "210, 410, end 500"),
        .row(27, "· completed", "a trailing value at 610 holds the end back to 610"),
        .row(28, "· completed after the due time", "a trailing value at 610, the end stays at 900"),
        .row(
            29, "· error, with and without latest",
            "the error comes at once, what trails is dropped"),
        .row(30, "· no end, never, empty", "no value and no end is invented"),
        .row(31, "RxSwift, timer: basic", "value and end, both at 300"),
        .row(32, "· interval", "300 to 900; the tick at 1000, the disposal's instant, is not seen"),
        .row(33, "· interval of zero", "201 to 209 with a disposal at 210", .rxTest),
        .row(34, "· interval, disposed", "a first tick after the disposal: nothing"),
        .row(
            35, "RxSwift, buffer: basic",
            "closes by count or by time: 240, 310, 370, 440, 510, 580, 600"),
        .row(36, "· error", "the open buffer is dropped at the error, 600"),
        .row(
            37, "· disposed", "a buffer that fills at the disposal's instant, 370, is delivered",
            .rxTest),
        .row(38, "RxSwift, window: basic", "the window changes where row 35 closes a buffer"),
        .row(
            39, "RxSwift, subscribe(on:): sleep, disposal", "subscribed at 201, released at 1001",
            .rxTest),
        .row(40, "· completed", "the end at 300, sub 201–301", .rxTest),
        .row(
            41, "RxSwift, generate: finite", "one value a tick, 201 to 204, the end at 205", .rxTest
        ),
        .row(42, "· the condition throws", "an error at 201", .rxTest),
        .row(43, "· disposal", "a disposal at 203 leaves 201 and 202", .rxTest),
        .row(44, "RxSwift, repeatElement", "one a tick until 206 with a disposal at 207", .rxTest),
        .row(45, "RxSwift, take for a duration: zero", "the end at 201", .rxTest),
        .row(46, "· some", "the timer ends it at 225"),
        .row(
            47, "· late, error, never",
            "an own end at 230 or error at 210 wins; a silent source ends at 250"),
        .row(48, "· twice", "of two limits the shorter ends it, at 235"),
        .row(
            49, "RxSwift, skip for a duration: zero, some, late",
            "skipped are nothing, the first value, or all but the end"),
        .row(
            50, "RxSwift, take(until:): the trigger speaks",
            "the end at 225, and both sources are released there"),
        .row(51, "· the trigger only ends", "that does not end the stream"),
        .row(52, "· before the first value", "the source has no effect after 210"),
        .row(53, "RxSwift, sample: simple 1", "250, 320, and the end with the sampler's, 500"),
        .row(54, "· simple 2", "a value that waits leaves with the sampler's end"),
        .row(
            55, "· simple 3", "after the source's end the next sample is the last: the end at 320"),
        .row(56, "· default value", "a sample without a value gives the default"),
        .row(
            57, "RxSwift, retry(when:): growing pauses",
            "205, 265, 375, 535, the error at 540; four subs"),
        .row(
            58, "RxSwift, sharing scheduler: three tests",
            "a default that was swapped is back after its scope, after a throw too",
            .ours(
                "nothing of the process is swapped: a timeline is current for its own work, on its thread, and the one before is current again"
            )),
    ]

    /// Rows 59 to 62: RxBlocking.
    private static let blockingRows: [ConformanceRow] = [
        .row(
            59, "RxBlocking: toArray", "nothing, everything, a throw, a timeout"),
        .row(
            60, "· first, last", "nil for an empty stream; an error before a value throws"),
        .row(
            61, "· single, with and without a predicate",
            "none, or more than one, is an error; which values the predicate saw"),
        .row(62, "· materialize", "the values are kept beside the error"),
    ]

    /// Rows 63 to 79: combine-schedulers and swift-clocks.
    private static let handDrivenRows: [ConformanceRow] = [
        .row(
            63, "combine-schedulers, test scheduler: advance by, advance to",
            "four quarter seconds reach a delay of a second exactly"),
        .row(64, "· delay of zero", "it waits for an explicit advance by zero"),
        .row(65, "· subscribe on, receive on", "a hop needs one advance"),
        .row(66, "· two intervals", "periods 2 and 1 from now: 1, 42, 42, 1, 42"),
        .row(67, "· far future", "1,002 ticks of a second, none lost"),
        .row(68, "· run", "after part of the way a run reaches a timer 10⁹ s away"),
        .row(69, "· now", "it moves by exactly what was asked; an advance by zero keeps it"),
        .row(70, "· async sleep, timer, run", "the async forms wait on the same queue"),
        .row(
            71, "combine-schedulers, timers: interleaving",
            "periods 2 and 3: 1, 2, 1, nothing, then both at 6, the quicker first",
            .ours(
                "both at 6, the slower first: a repeat takes a new place in the order, so what was put there first leads"
            )),
        .row(72, "· cancellation", "a cancelled timer leaves nothing to run"),
        .row(
            73, "swift-clocks, test clock: re-entrant work",
            "one advance of 5 s releases five sleeps of a second in a chain"),
        .row(74, "· many units of work", "ten ticks of a timer in one run"),
        .row(
            75, "· run with a time limit", "an endless sleeper is reported",
            .ours(
                "at a virtual limit and not at one of real time, so that it is the same in every run"
            )),
        .row(76, "· check for suspended work", "a sleeper that waits fails the check"),
        .row(
            77, "· cancellation, and what it removes",
            "cancelling wakes the sleeper and takes it off the queue"),
        .row(78, "· sorting", "sleepers wake by deadline, not by registration"),
        .row(
            79, "· sleep until exactly now", "it waits for the next advance",
            .ours("it is due in the drain that runs, in a microstep of its own")),
    ]

    /// Rows 80 to 96: RxJS 7 and the test package of RxJS 9.
    private static let rxJSRows: [ConformanceRow] = [
        .row(
            80, "RxJS 7, virtual time: in order",
            "five items at one frame leave in the order they came"),
        .row(81, "· at random", "delays 0, 100, 0, 500, 0, 100: 1, 3, 5, 2, 6, 4"),
        .row(
            82, "· negative delays", "delays 0, 100, 0, −2, 0, −10: 6, 4, 1, 3, 5, 2",
            .ours("1, 3, 4, 5, 6, 2: the past means now, and now is first come, first served")),
        .row(
            83, "· recursive; rescheduled",
            "work that schedules itself ends when it does not; only the last schedule runs"),
        .row(
            84, "· largest frame, and going on after it",
            "the limit is included, and the rest can be run later"),
        .row(
            85, "RxJS 7, test scheduler: reading marbles, nine tests",
            "values, errors, the zero point, spaces and emoji as they are",
            .ours(
                "a group takes one tick, not the width of its text; a gap is the whole distance between its neighbours"
            )),
        .row(
            86, "· reading subscriptions, seven tests",
            "open, closed, both at once; a second `^` or `!` is refused"),
        .row(87, "· streams of streams", "inner streams are compared on their own time"),
        .row(
            88, "· immediates before intervals and timeouts",
            "at one instant the kind of work decides"),
        .row(
            89, "· intervals of zero", "their ticks pile up inside one frame",
            .ours(
                "refused: a period of zero never lets time pass (one tick under `rxTest`, row 33)")),
        .row(
            90, "RxJS 9, rxTest: observation at time zero",
            "the subscription's instant is inside the window"),
        .row(
            91, "· unsubscription frame; abort before a hot value",
            "the disposal's instant is outside the window"),
        .row(
            92, "· microtasks between timers",
            "follow-up work is settled before the next timer of the instant"),
        .row(
            93, "· endless periodic work; largest virtual time",
            "a limit fails the test, nothing hangs"),
        .row(
            94, "· expectation without a matcher; open observation",
            "a test that is not finished fails"),
        .row(
            95, "· overlapping and nested tests",
            "they wait for one another, and nested ones are refused",
            .ours(
                "runs are independent of one another, overlapping or nested: nothing is process-wide"
            )),
        .row(
            96, "RxJS 9, marble parser: all", "the grammar is strict",
            .ours(
                "a group takes one tick; gaps are absolute; hours are a unit; text that looks like a gap and touches a neighbour is refused"
            )),
    ]

    /// Rows 97 to 111: coroutines, tokio, madsim, async algorithms, ReactorKit and Moya.
    private static let elsewhereRows: [ConformanceRow] = [
        .row(
            97, "kotlinx.coroutines, test scheduler: advance leaves the target out",
            "what is due at the target waits",
            .ours("the target is included; `advance(before:)` leaves it out")),
        .row(
            98, "· negative advance, enormous delays", "an argument error; saturation and no wrap",
            .ours("the same, and the last instant of time is run too")),
        .row(
            99, "· a run inside a run", "nested driving works",
            .ours("refused with an error: no item runs inside another of its timeline")),
        .row(
            100, "· yield, delays", "a yield goes to the back of the instant; sleepers wake by time"
        ),
        .row(
            101, "kotlinx.coroutines, runTest: active coroutines at a timeout",
            "a stuck test names what waits"),
        .row(
            102, "tokio, paused time: deterministic", "two runs of 10,000 seeded sleeps are equal"),
        .row(103, "· interval", "when late, two overdue ticks come with their own due times"),
        .row(
            104, "· advances below a millisecond and with a fraction",
            "odd durations are not rounded"),
        .row(
            105, "madsim, tasks: a random pick among the ready",
            "ten seeds, ten interleavings; one seed, one",
            .ours(
                "a seed draws delays, never the order among the ready, who go on first come, first served"
            )),
        .row(
            106, "async algorithms, validation: eleven failures",
            "each kind of mismatch has its own words and its tick"),
        .row(
            107, "· six bad diagrams; values past the end",
            "bad pictures are refused, an output after its end fails"),
        .row(
            108, "· late demand, cancellation",
            "values wait for one who asks late; a cancelled loop ends at its step"),
        .row(
            109, "ReactorKit, reactor: cancel",
            "a stop at 5 beats the tick due at 5; the same at 9"),
        .row(
            110, "ReactorKit, re-entrancy: three tests",
            "an action from inside an action is queued, never nested"),
        .row(
            111, "Moya, provider: delayed stubs",
            "a delay, a cancellation, plug-ins that hear of both",
            .ours(
                "the delay is virtual and exact; whoever gives up a request is done at that very instant, not when the delay ends"
            )),
    ]

    /// What no peer tests.
    static let own: [ConformanceRow] = [
        .own(1, "an advance that is stopped leaves the clock at the instant of the stop"),
        .own(2, "an absolute time in the past never moves time back"),
        .own(3, "three thirds of a second: exact to the nanosecond, no drift"),
        .own(4, "two inputs at one instant on two ports take effect in the order they came"),
        .own(5, "the same results with insertion order alone (profile `rxTest`)"),
        .own(6, "the same results in real mode"),
        .own(7, "the same results over the socket"),
    ]

}
