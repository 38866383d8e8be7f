// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
internal import MarbledHost
internal import Scheduling

/// One record that runs again: drives an instance of its own from arrival to arrival.
///
/// Arrivals of one instant and its first microstep are put in line together, in the order in which they came,
/// before anything of that instant runs. An input of a later microstep came when that instant had
/// been worked off, so it is sent then.
final class ReplayRun {
    /// What the run does next.
    private enum Stage {
        /// Comes to an instant, lets nothing of it run, and puts these in line.
        case arrivals(Instant, [Arrival])
        /// Works an instant off and sends an input then.
        case laterInput(Instant, Arrival)
        /// The clock jumps over what is due.
        case jump(to: Instant, over: Instant)
        case end(Instant)
    }

    private enum Arrival {
        case input(number: Int, json: [UInt8], port: String)
        case answer(ask: Int)
    }

    private let record: RecordFile
    private let options: Replay.Options
    private let host: Host
    private let script: ReplayScript
    private var stages: ArraySlice<Stage> = []
    private var instance: Instance?
    private var ran = 0
    private var complaints: [String] = []
    private var completion: ((ReplayReport) -> Void)?
    private var isLooping = false

    init(
        _ record: RecordFile, _ options: Replay.Options, on host: Host,
        completion: @escaping (ReplayReport) -> Void
    ) {
        self.record = record
        self.options = options
        self.host = host
        self.completion = completion
        script = ReplayScript(record, options)
    }

    func start() throws(HostError) {
        guard record.dropped == 0 else {
            throw .conflict(
                "this record lacks its first \(record.dropped) entries, so it cannot run again; "
                    + "take it earlier, or give the daemon more room for records")
        }
        let feature = try host.feature(record.feature).feature
        stages = try makeStages(feature)[...]
        var request = Host.OpenRequest(feature: record.feature, isVirtual: true)
        request.options = record.options
        request.seed = record.seed
        request.profile = record.profile
        request.epoch = record.epoch
        request.script = script
        request.asksWorld = options.mode == .refresh
        let instance = try host.open(request)
        self.instance = instance
        // Keeps the run alive while it waits for the world; given up at its end.
        instance.worldHasAnswered = { [self] in
            guard !isLooping else { return }
            self.host.putOff { [self] in goOn() }
        }
        goOn()
    }

    // MARK: Stages

    private func makeStages(_ feature: FeatureDescription) throws(HostError) -> [Stage] {
        var stages: [Stage] = []
        // What comes together is gathered, and becomes a stage when something else follows.
        var line: [Arrival] = []
        var lineAt = Instant.zero
        func endLine() {
            // A single answer comes by itself.
            if line.count == 1, case .answer = line[0] { line = [] }
            if !line.isEmpty { stages.append(.arrivals(lineAt, line)) }
            line = []
        }
        func add(_ arrival: Arrival, at: Instant) {
            if at != lineAt { endLine() }
            lineAt = at
            line.append(arrival)
        }
        for fact in record.facts {
            switch fact.what {
            case .input(let port, let json):
                let number = try input(port, json, of: feature, line: fact.line)
                let arrival = Arrival.input(number: number, json: Array(json.utf8), port: port)
                if fact.step > 0 {
                    endLine()
                    stages.append(.laterInput(fact.at, arrival))
                } else {
                    add(arrival, at: fact.at)
                }
            case .answer(let answer) where answer.latency > 0 && fact.step == 0:
                // With other latencies than the recorded ones nobody knows in which order they come.
                guard options.timing == .recorded else { break }
                add(.answer(ask: answer.ask), at: fact.at)
            case .jump(let over):
                endLine()
                stages.append(.jump(to: fact.at, over: over))
            case .ask, .answer, .cancel, .output: break
            }
        }
        endLine()
        return stages + [.end(record.end)]
    }

    private func input(
        _ port: String, _ json: String, of feature: FeatureDescription, line: Int
    ) throws(HostError) -> Int {
        let number = try feature.inputNumber(port)
        do throws(HostError) {
            let value = (try? JSONValue(parsing: json)) ?? .null
            try feature.inputs[number].schema.check(value, pointer: "")
        } catch {
            throw .conflict(
                "line \(line): \(port) does not take \(json) any more: \(error.description)")
        }
        return number
    }

    // MARK: Running

    /// Carries the run on, in turns; a stage is a run of its own, and most end at once.
    private func goOn() {
        guard !isLooping, completion != nil, let instance else { return }
        isLooping = true
        defer { isLooping = false }
        let turnIsOver = host.turnEnds()
        while let stage = stages.first {
            switch drive(instance, toward: stage) {
            case .later: return
            case .over: return finish()
            case .done: stages.removeFirst()
            }
            if turnIsOver(), !stages.isEmpty {
                return host.putOff { [self] in goOn() }
            }
        }
        finish()
    }

    private enum Outcome {
        case done
        /// It goes on in another turn.
        case later
        case over
    }

    private func drive(_ instance: Instance, toward stage: Stage) -> Outcome {
        if case .jump(let to, let over) = stage, over < instance.clock.now {
            // The clock jumped twice before anything had run.
            jump(instance, to: to)
            return .done
        }
        let goal: Run.Goal =
            switch stage {
            case .arrivals(let at, _): .before(at)
            case .jump(_, let over): .before(over)
            case .laterInput(let at, _), .end(let at): .through(at)
            }
        var outcome: Outcome?
        do throws(HostError) {
            try instance.drive(goal) { [self] result in
                switch result {
                case .failure(let error):
                    complaints.append(error.description)
                    outcome = .over
                case .success(let progress):
                    ran += progress.ran
                    // Until the world has answered; then this stage is driven again.
                    outcome = progress.blockedBy.isEmpty ? .done : .later
                }
                // Not from inside this call: the run was cut, and its end comes in a later turn.
                if !isLooping { self.resume(outcome, stage) }
            }
            guard outcome == .done else { return outcome ?? .later }
            try perform(stage, on: instance)
            return .done
        } catch {
            complaints.append(error.description)
            return .over
        }
    }

    /// A stage that took more than one turn has come to its end.
    private func resume(_ outcome: Outcome?, _ stage: Stage) {
        guard completion != nil else { return }
        host.putOff { [self] in
            switch outcome {
            case .over?: finish()
            // Driven again to where it is, it ends at once.
            case .done?, .later?, nil: goOn()
            }
        }
    }

    private func perform(_ stage: Stage, on instance: Instance) throws(HostError) {
        switch stage {
        case .arrivals(let at, let line):
            for arrival in line { try putInLine(arrival, at: at, on: instance) }
        case .laterInput(_, .input(let number, let json, let port)):
            do throws(HostError) { try instance.send(number, copying: json) } catch {
                guard case .badValue = error else { throw error }
                note(refusal: "\(error)", of: port)
            }
        case .laterInput(_, .answer), .end: break
        case .jump(let to, _): jump(instance, to: to)
        }
    }

    private func jump(_ instance: Instance, to instant: Instant) {
        guard case .virtual(let scheduler) = instance.clock else { return }
        scheduler.busy(for: scheduler.now.duration(to: max(instant, scheduler.now)))
    }

    private func putInLine(
        _ arrival: Arrival, at: Instant, on instance: Instance
    ) throws(HostError) {
        switch arrival {
        case .input(let number, let json, let port):
            try instance.enqueue(number, copying: json, at: at) { [self] refusal in
                note(refusal: refusal, of: port)
            }
        case .answer(let ask):
            guard let id = script.asks[ask]?.id else { return }
            instance.putAnswerLast(id, at: at)
        }
    }

    private func note(refusal: String, of port: String) {
        let at = instance?.clock.now ?? .zero
        complaints.append("\(port) refused a value at \(ReplayReport.time(at)): \(refusal)")
    }

    /// Ends it without a report.
    func giveUp() {
        guard completion.take() != nil, let instance else { return }
        instance.worldHasAnswered = nil
        host.close(instance)
    }

    private func finish() {
        guard let instance, let completion = completion.take() else { return }
        if case .failed(let reason) = instance.life {
            let sentence = "the feature failed: \(reason)"
            if !complaints.contains(where: { $0.contains(reason) }) { complaints.append(sentence) }
        }
        var report = ReplayReport(
            record, RecordFile(instance), options,
            strangers: script.strangers.filter { !record.endsEarly || $0.at < record.end },
            unused: script.unused, complaints: complaints)
        report.ran = ran
        report.end = instance.clock.now
        instance.worldHasAnswered = nil
        host.close(instance)
        completion(report)
    }
}
