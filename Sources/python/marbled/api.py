# SPDX-License-Identifier: Apache-2.0
# Written by Tests/Scripts/python-client.sh from what the daemon says of itself; not edited by hand.
"""Every method of the daemon, and the shapes of what it answers."""

from typing import Any, Literal, NotRequired, TypedDict, cast

Duration = int | str
"""Nanoseconds, or a text such as "300ms"."""

ErrorKind = Literal[
    "parseError",
    "invalidRequest",
    "methodNotFound",
    "invalidParams",
    "internalError",
    "unknownFeature",
    "unknownInstance",
    "unknownPort",
    "unknownSubscription",
    "unknownPlugin",
    "badValue",
    "clockIsReal",
    "limit",
    "pluginRefused",
    "pluginFailed",
    "denied",
    "cursorExpired",
    "cancelled",
    "stopping",
    "busy",
    "unsupported",
]


class EffectDescription(TypedDict):
    name: str
    doc: str
    request: Any
    answer: Any


class Hello(TypedDict):
    name: str
    version: str
    protocol: int
    level: Literal["read", "control", "admin"]
    capabilities: list[str]
    limits: dict[str, int]
    schema: str
    effects: list[EffectDescription]


class Nothing(TypedDict):
    pass


class StoreStatus(TypedDict):
    kind: Literal["memory", "file"]
    file: NotRequired[str]
    waiting: NotRequired[int]
    problem: NotRequired[str]


class Counters(TypedDict):
    accepted: int
    refused: int
    denied: int
    cancelled: int
    lostEvents: int


class Status(TypedDict):
    version: str
    pid: int
    uptime: int
    memory: int
    instances: int
    connections: int
    subscriptions: int
    plugins: int
    store: StoreStatus
    counters: Counters
    limits: dict[str, int]


class Client(TypedDict):
    client: int
    pid: int
    uid: int
    gid: int
    level: Literal["read", "control", "admin"]
    age: int
    subscriptions: int
    callsInFlight: int
    unsentBytes: int
    lostEvents: int
    self: NotRequired[bool]


class Clients(TypedDict):
    clients: list[Client]


class LogLevel(TypedDict):
    before: str


class Reloaded(TypedDict):
    changed: list[str]
    needRestart: list[str]
    features: int
    refusals: int


class Cancelled(TypedDict):
    cancelled: bool


class Plugin(TypedDict):
    id: str
    version: str
    loaded: bool
    features: list[str]
    instances: int
    onOlderBuilds: int
    library: NotRequired[str]


class Refusal(TypedDict):
    file: str
    reason: str


class Plugins(TypedDict):
    plugins: list[Plugin]
    refusals: list[Refusal]
    retired: list[str]


class ReloadedPlugin(TypedDict):
    id: str
    version: str
    loaded: bool
    features: list[str]
    instances: int
    onOlderBuilds: int
    library: NotRequired[str]
    changed: NotRequired[bool]


class RetiredPlugin(TypedDict):
    plugin: str
    instances: int


class Feature(TypedDict):
    name: str
    doc: str
    plugin: str
    version: str


class Features(TypedDict):
    features: list[Feature]


class FeatureDescription(TypedDict):
    name: str
    doc: str
    plugin: str
    version: str
    inputs: list[dict[str, Any]]
    outputs: list[dict[str, Any]]
    options: Any
    effects: Any


class Opened(TypedDict):
    instance: str
    now: int
    outputs: dict[str, Any]


class CloseReport(TypedDict):
    pendingTimers: int
    openEffects: int
    unusedStubs: list[Any]


class InstanceHead(TypedDict):
    instance: str
    feature: str
    clock: Literal["real", "virtual"]
    now: int
    state: Literal["open", "failed"]
    running: bool
    reason: NotRequired[str]


class Instances(TypedDict):
    instances: list[InstanceHead]


class OutputReport(TypedDict):
    name: str
    kind: Literal["state", "event"]
    subscribers: int
    value: NotRequired[Any]
    at: NotRequired[int]


class PendingWork(TypedDict):
    at: int
    label: str


class OpenEffect(TypedDict):
    effect: str
    request: Any
    since: int


class InstanceReport(TypedDict):
    instance: str
    feature: str
    clock: Literal["real", "virtual"]
    now: int
    state: Literal["open", "failed"]
    running: bool
    step: int
    seed: int
    inputs: list[str]
    outputs: list[OutputReport]
    pending: list[PendingWork]
    pendingCount: int
    effects: list[OpenEffect]
    holds: list[str]
    reason: NotRequired[str]


class RecordedEvent(TypedDict):
    at: int
    step: int
    kind: Literal["input", "effect", "answer", "output", "jump", "cancel"]
    port: str
    event: str
    late: NotRequired[int]
    cause: NotRequired[int]
    more: NotRequired[bool]
    value: NotRequired[Any]


class Sent(TypedDict):
    now: int
    events: NotRequired[list[RecordedEvent]]


class StateValue(TypedDict):
    value: Any
    at: int


class TimedValue(TypedDict):
    at: int
    value: Any


class Awaited(TypedDict):
    values: list[TimedValue]
    ended: Literal["satisfied", "completed", "error", "timeout", "moreThanOne", "cancelled", "closed"]
    error: NotRequired[Any]
    reason: NotRequired[str]


class RecordPart(TypedDict):
    events: list[RecordedEvent]
    first: int
    next: int


class Subscribed(TypedDict):
    subscription: str
    cursor: str
    reset: NotRequired[bool]


class ClockReading(TypedDict):
    now: int
    step: int


class NextItem(TypedDict):
    at: int | None
    label: NotRequired[str]


class Progress(TypedDict):
    now: int
    ran: int
    idle: bool
    blockedBy: NotRequired[list[str]]


class StubsSet(TypedDict):
    stubs: int


class Released(TypedDict):
    released: int


class StubCall(TypedDict):
    effect: str
    request: Any
    at: int
    stub: int | None


class StubCalls(TypedDict):
    calls: list[StubCall]


class RecordText(TypedDict):
    record: str
    facts: int
    dropped: int


class ReplayReport(TypedDict):
    passed: bool
    feature: str
    end: int
    ran: int
    events: int
    failures: list[str]
    notes: list[str]
    picture: str
    record: NotRequired[str]


class ScenarioFailure(TypedDict):
    message: NotRequired[str]
    output: NotRequired[str]
    at: NotRequired[Any]
    expected: NotRequired[Any]
    actual: NotRequired[Any]


class ScenarioReport(TypedDict):
    scenario: str
    passed: bool
    outputs: dict[str, list[list[Any]]]
    failures: list[ScenarioFailure]
    picture: str


class ScenarioReports(TypedDict):
    passed: bool
    reports: list[ScenarioReport]


class StreamEvent(TypedDict):
    subscription: str
    cursor: str
    at: int
    output: str
    event: Literal["next", "error", "completed"]
    value: NotRequired[Any]


StreamGap = TypedDict(
    'StreamGap',
    {
        'subscription': str,
        'from': str,
        'to': str,
        'count': int,
    },
)


class StreamBookmark(TypedDict):
    subscription: str
    cursor: str


class StreamClosed(TypedDict):
    subscription: str
    reason: str


class Calls:
    """Every method of the daemon, by name. Each raises `RPCError` when the daemon answers an error, and
    waits at most `within` seconds, or as long as the connection says."""

    def call(self, method: str, params: dict[str, Any], within: float | None = None) -> Any:
        """Calls a method and gives its result."""
        raise NotImplementedError

    def daemon_hello(
        self,
        *,
        require: list[Any] | None = None,
        want: list[Any] | None = None,
        within: float | None = None,
    ) -> Hello:
        "Tells what this daemon is and can do, and all its limits."
        params: dict[str, Any] = {
            **_given("require", require),
            **_given("want", want),
        }
        return cast(Hello, self.call("daemon.hello", params, within))

    def daemon_ping(
        self,
        *,
        within: float | None = None,
    ) -> Nothing:
        "Answers."
        params: dict[str, Any] = {}
        return cast(Nothing, self.call("daemon.ping", params, within))

    def daemon_status(
        self,
        *,
        within: float | None = None,
    ) -> Status:
        "Tells how the daemon is doing."
        params: dict[str, Any] = {}
        return cast(Status, self.call("daemon.status", params, within))

    def daemon_clients(
        self,
        *,
        within: float | None = None,
    ) -> Clients:
        "Lists who is connected, this caller included."
        params: dict[str, Any] = {}
        return cast(Clients, self.call("daemon.clients", params, within))

    def daemon_setLogLevel(
        self,
        level: Literal["trace", "debug", "info", "notice", "warning", "error", "critical"],
        *,
        within: float | None = None,
    ) -> LogLevel:
        "Says what is logged, until the next reload or start."
        params: dict[str, Any] = {
            "level": level,
        }
        return cast(LogLevel, self.call("daemon.setLogLevel", params, within))

    def daemon_reload(
        self,
        *,
        within: float | None = None,
    ) -> Reloaded:
        "Reads the configuration and the plugins' manifests again, as SIGHUP does. Connections and instances stay; a wrong configuration changes nothing."
        params: dict[str, Any] = {}
        return cast(Reloaded, self.call("daemon.reload", params, within))

    def daemon_stop(
        self,
        *,
        within: float | None = None,
    ) -> Nothing:
        "Ends the daemon in order, after this answer."
        params: dict[str, Any] = {}
        return cast(Nothing, self.call("daemon.stop", params, within))

    def rpc_discover(
        self,
        *,
        within: float | None = None,
    ) -> dict[str, Any]:
        "Describes every method, as an OpenRPC document."
        params: dict[str, Any] = {}
        return cast(dict[str, Any], self.call("rpc.discover", params, within))

    def rpc_cancel(
        self,
        id: str | float,
        *,
        within: float | None = None,
    ) -> Cancelled:
        "Gives up a call of this connection that waits; it is answered first, with the error cancelled, or, where it awaited values, with those that came."
        params: dict[str, Any] = {
            "id": id,
        }
        return cast(Cancelled, self.call("rpc.cancel", params, within))

    def plugin_list(
        self,
        *,
        within: float | None = None,
    ) -> Plugins:
        "Lists the plugins that were found, and the manifests that were refused."
        params: dict[str, Any] = {}
        return cast(Plugins, self.call("plugin.list", params, within))

    def plugin_load(
        self,
        manifest: str,
        *,
        within: float | None = None,
    ) -> Plugin:
        "Takes a plugin from anywhere by its manifest, and maps its code."
        params: dict[str, Any] = {
            "manifest": manifest,
        }
        return cast(Plugin, self.call("plugin.load", params, within))

    def plugin_reload(
        self,
        plugin: str,
        *,
        within: float | None = None,
    ) -> ReloadedPlugin:
        "Reads a plugin's manifest again and maps the build that is there now beside the old one: what is opened from now on runs it, what is open stays on the old code until it is closed."
        params: dict[str, Any] = {
            "plugin": plugin,
        }
        return cast(ReloadedPlugin, self.call("plugin.reload", params, within))

    def plugin_retire(
        self,
        plugin: str,
        *,
        within: float | None = None,
    ) -> RetiredPlugin:
        "Lets nobody open a plugin's features any more; what is open goes on. Only plugin.load brings it back."
        params: dict[str, Any] = {
            "plugin": plugin,
        }
        return cast(RetiredPlugin, self.call("plugin.retire", params, within))

    def feature_list(
        self,
        *,
        within: float | None = None,
    ) -> Features:
        "Lists the features that can be opened."
        params: dict[str, Any] = {}
        return cast(Features, self.call("feature.list", params, within))

    def feature_describe(
        self,
        feature: str,
        *,
        within: float | None = None,
    ) -> FeatureDescription:
        "Describes a feature: its ports with kind and JSON Schema, its options, its effects."
        params: dict[str, Any] = {
            "feature": feature,
        }
        return cast(FeatureDescription, self.call("feature.describe", params, within))

    def instance_open(
        self,
        feature: str,
        *,
        clock: Literal["real", "virtual"] | None = None,
        options: dict[str, Any] | None = None,
        stubs: list[Any] | None = None,
        seed: int | None = None,
        epoch: int | None = None,
        profile: Literal["strict", "rxTest"] | None = None,
        name: str | None = None,
        ephemeral: bool | None = None,
        within: float | None = None,
    ) -> Opened:
        "Opens a feature and answers with the instance's name and its states."
        params: dict[str, Any] = {
            "feature": feature,
            **_given("clock", clock),
            **_given("options", options),
            **_given("stubs", stubs),
            **_given("seed", seed),
            **_given("epoch", epoch),
            **_given("profile", profile),
            **_given("name", name),
            **_given("ephemeral", ephemeral),
        }
        return cast(Opened, self.call("instance.open", params, within))

    def instance_close(
        self,
        instance: str,
        *,
        within: float | None = None,
    ) -> CloseReport:
        "Closes an instance and tells what was left: timers, effects, unused stubs."
        params: dict[str, Any] = {
            "instance": instance,
        }
        return cast(CloseReport, self.call("instance.close", params, within))

    def instance_list(
        self,
        *,
        within: float | None = None,
    ) -> Instances:
        "Lists the open instances."
        params: dict[str, Any] = {}
        return cast(Instances, self.call("instance.list", params, within))

    def instance_inspect(
        self,
        instance: str,
        *,
        within: float | None = None,
    ) -> InstanceReport:
        "Shows an instance whole: states, pending work, open effects, holds."
        params: dict[str, Any] = {
            "instance": instance,
        }
        return cast(InstanceReport, self.call("instance.inspect", params, within))

    def instance_send(
        self,
        instance: str,
        input: str,
        *,
        value: Any = None,
        at: Duration | None = None,
        after: Duration | None = None,
        collect: bool | None = None,
        within: float | None = None,
    ) -> Sent:
        "Sends a value to an input: now, or at a later instant."
        params: dict[str, Any] = {
            "instance": instance,
            "input": input,
            **_given("value", value),
            **_given("at", at),
            **_given("after", after),
            **_given("collect", collect),
        }
        return cast(Sent, self.call("instance.send", params, within))

    def instance_read(
        self,
        instance: str,
        output: str,
        *,
        within: float | None = None,
    ) -> StateValue:
        "Reads the newest value of a state."
        params: dict[str, Any] = {
            "instance": instance,
            "output": output,
        }
        return cast(StateValue, self.call("instance.read", params, within))

    def instance_await(
        self,
        instance: str,
        output: str,
        until: Any,
        timeout: Duration,
        *,
        within: float | None = None,
    ) -> Awaited:
        "Waits for what an output says. In virtual time this drives the clock, at most by the time-out."
        params: dict[str, Any] = {
            "instance": instance,
            "output": output,
            "until": until,
            "timeout": timeout,
        }
        return cast(Awaited, self.call("instance.await", params, within))

    def instance_record(
        self,
        instance: str,
        *,
        since: int | None = None,
        within: float | None = None,
    ) -> RecordPart:
        "Lists every input, effect, answer and output so far, in order."
        params: dict[str, Any] = {
            "instance": instance,
            **_given("since", since),
        }
        return cast(RecordPart, self.call("instance.record", params, within))

    def stream_subscribe(
        self,
        instance: str,
        output: str,
        *,
        since: str | None = None,
        overflow: Literal["gap", "close"] | None = None,
        within: float | None = None,
    ) -> Subscribed:
        "Subscribes to an output, or to all; stream.event messages follow the answer."
        params: dict[str, Any] = {
            "instance": instance,
            "output": output,
            **_given("since", since),
            **_given("overflow", overflow),
        }
        return cast(Subscribed, self.call("stream.subscribe", params, within))

    def stream_unsubscribe(
        self,
        subscription: str,
        *,
        within: float | None = None,
    ) -> Nothing:
        "Ends a subscription."
        params: dict[str, Any] = {
            "subscription": subscription,
        }
        return cast(Nothing, self.call("stream.unsubscribe", params, within))

    def stream_flush(
        self,
        *,
        within: float | None = None,
    ) -> Nothing:
        "Answers once everything that is held back for this connection has been written."
        params: dict[str, Any] = {}
        return cast(Nothing, self.call("stream.flush", params, within))

    def clock_now(
        self,
        instance: str,
        *,
        within: float | None = None,
    ) -> ClockReading:
        "Tells where an instance's clock stands."
        params: dict[str, Any] = {
            "instance": instance,
        }
        return cast(ClockReading, self.call("clock.now", params, within))

    def clock_next(
        self,
        instance: str,
        *,
        within: float | None = None,
    ) -> NextItem:
        "Tells when the next item is due, and what it is."
        params: dict[str, Any] = {
            "instance": instance,
        }
        return cast(NextItem, self.call("clock.next", params, within))

    def clock_advance(
        self,
        instance: str,
        *,
        by: Duration | None = None,
        to: Duration | None = None,
        before: Duration | None = None,
        limit: int | None = None,
        within: float | None = None,
    ) -> Progress:
        "Moves a virtual clock and runs what falls due: by a duration, to or before an instant."
        params: dict[str, Any] = {
            "instance": instance,
            **_given("by", by),
            **_given("to", to),
            **_given("before", before),
            **_given("limit", limit),
        }
        return cast(Progress, self.call("clock.advance", params, within))

    def clock_step(
        self,
        instance: str,
        *,
        within: float | None = None,
    ) -> Progress:
        "Runs exactly one item of a virtual instance."
        params: dict[str, Any] = {
            "instance": instance,
        }
        return cast(Progress, self.call("clock.step", params, within))

    def clock_run(
        self,
        instance: str,
        *,
        limit: int | None = None,
        until: str | None = None,
        within: float | None = None,
    ) -> Progress:
        "Runs a virtual instance until nothing waits, or until an output says something."
        params: dict[str, Any] = {
            "instance": instance,
            **_given("limit", limit),
            **_given("until", until),
        }
        return cast(Progress, self.call("clock.run", params, within))

    def stub_set(
        self,
        instance: str,
        stubs: list[Any],
        *,
        within: float | None = None,
    ) -> StubsSet:
        "Puts rules in place that answer an instance's effects; the rules before go."
        params: dict[str, Any] = {
            "instance": instance,
            "stubs": stubs,
        }
        return cast(StubsSet, self.call("stub.set", params, within))

    def stub_release(
        self,
        instance: str,
        name: str,
        *,
        within: float | None = None,
    ) -> Released:
        "Releases what stubs hold under a name, and heals the partitions of that name."
        params: dict[str, Any] = {
            "instance": instance,
            "name": name,
        }
        return cast(Released, self.call("stub.release", params, within))

    def stub_calls(
        self,
        instance: str,
        *,
        within: float | None = None,
    ) -> StubCalls:
        "Lists what an instance asked of the world so far, and which rule answered."
        params: dict[str, Any] = {
            "instance": instance,
        }
        return cast(StubCalls, self.call("stub.calls", params, within))

    def record_text(
        self,
        instance: str,
        *,
        within: float | None = None,
    ) -> RecordText:
        "Writes the record of an instance as a file that record.replay runs again."
        params: dict[str, Any] = {
            "instance": instance,
        }
        return cast(RecordText, self.call("record.text", params, within))

    def record_replay(
        self,
        record: str,
        *,
        more: bool | None = None,
        mode: Literal["once", "none", "refresh"] | None = None,
        time: str | None = None,
        within: float | None = None,
    ) -> ReplayReport | Nothing:
        "Runs a record again in virtual time, on an instance of its own, against the plugin that is there, and tells where outputs and requests differ."
        params: dict[str, Any] = {
            "record": record,
            **_given("more", more),
            **_given("mode", mode),
            **_given("time", time),
        }
        return cast(ReplayReport | Nothing, self.call("record.replay", params, within))

    def scenario_run(
        self,
        scenario: Any,
        *,
        within: float | None = None,
    ) -> ScenarioReport | ScenarioReports:
        "Runs a scenario on an instance of its own, in virtual time, and reports."
        params: dict[str, Any] = {
            "scenario": scenario,
        }
        return cast(ScenarioReport | ScenarioReports, self.call("scenario.run", params, within))


def _given(name: str, value: Any) -> dict[str, Any]:
    return {} if value is None else {name: value}
