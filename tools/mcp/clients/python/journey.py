"""What every client in Python does, whichever package it is of. journey.mjs is the same for those in JavaScript."""

import asyncio
import json
import sys
import urllib.request
from secrets import token_hex

TOOLS = {
    "run_workflow",
    "get_run",
    "resume_run",
    "respond_hitl",
    "list_workflows",
    "describe_workflow",
    "cancel_run",
    "list_runs",
    "list_gates",
}
GATE = "mcp-gate"
SLOW = "mcp-slow"
# Of its three units that take their time, and one that does not.
AT_LEAST_NOTIFICATIONS = 3
FINISHES_WITHIN_S = 10
ASKS_EVERY_S = 0.1
GIVES_UP_AFTER_S = 0.3


class Client:
    """A connected client; what it lists and answers is as JSON has it."""

    revision: str

    async def tools(self) -> list[dict]: ...

    async def call(self, name: str, given: dict, progress=None) -> dict: ...

    async def read(self, uri: str) -> str: ...


def play(connect, responder: str) -> None:
    """`connect(address, mode, elicit)` is an async context manager of a `Client`, which can be asked if `elicit` is
    given: it takes the question and the schema of the form, and answers what is filled in."""
    address, revision, *rest = sys.argv[1:]
    mode = rest[0] if rest else None
    try:
        print(asyncio.run(_journey(lambda elicit=None: connect(address, mode, elicit), address, revision, responder)))
    except BaseExceptionGroup as group:
        raise _innermost(group) from None


def _innermost(error: BaseException) -> BaseException:
    """What went wrong, without the groups of tasks that it went through."""
    return _innermost(error.exceptions[0]) if isinstance(error, BaseExceptionGroup) else error


async def _journey(connect, address: str, revision: str, responder: str) -> str:
    async with connect() as client:
        _same(client.revision, revision, "the revision that was negotiated")
        await _lists_tools(client)
        await _sees_what_is_wrong(client)
        await _approves_by_tool(client, responder)
        notifications = await _follows_progress(client)
        await _gives_up(client, address)
    await _approves_when_asked(connect)
    return (
        f"{revision}, approved by tool, {notifications} progress notifications, "
        "given up while the run went on, approved when asked"
    )


async def _lists_tools(client: Client) -> None:
    tools = await client.tools()
    _same({tool["name"] for tool in tools}, TOOLS, "the tools")
    for tool in tools:
        for field in ("title", "description", "inputSchema", "outputSchema"):
            _true(tool.get(field), f"{tool['name']} has {field}")


async def _sees_what_is_wrong(client: Client) -> None:
    result = await client.call("run_workflow", {"workflowId": "nobody-knows"})
    _true(result.get("isError"), f"an unknown workflow is an error of the tool: {result}")
    _true(result["content"][0]["text"], "the error says what is wrong")


async def _approves_by_tool(client: Client, responder: str) -> None:
    given = {"workflowId": GATE, "input": {"amount": 3}, "sync": True}
    started = _record(await client.call("run_workflow", given))
    _same(started["status"], "paused", "the status at the gate")
    run = {"workflowId": GATE, "runId": started["runId"]}
    _record(await client.call("respond_hitl", {**run, "approved": True, "responder": responder}))
    record = await _finished(client, run)
    _same(record["result"]["state"]["hitl.responder"], responder, "who approved")
    resource = json.loads(await client.read(f"flowgate://runs/{run['runId']}"))
    _same(resource["status"], "completed", "the status in the resource")


async def _finished(client: Client, run: dict) -> dict:
    record = _record(await client.call("get_run", run))
    for _ in range(int(FINISHES_WITHIN_S / ASKS_EVERY_S)):
        if record["status"] != "running":
            break
        await asyncio.sleep(ASKS_EVERY_S)
        record = _record(await client.call("get_run", run))
    _same(record["status"], "completed", f"the status at the end of {record}")
    return record


async def _follows_progress(client: Client) -> int:
    steps: list[float] = []

    async def progress(step: float, total: float | None, message: str | None) -> None:
        steps.append(step)

    given = {"workflowId": SLOW, "input": {"mark": "followed"}, "sync": True}
    record = _record(await client.call("run_workflow", given, progress))
    _same(record["status"], "completed", "the status of the slow run")
    _true(len(steps) >= AT_LEAST_NOTIFICATIONS, f"only these progress notifications came: {steps}")
    _same(steps, sorted(set(steps)), "progress grows")
    return len(steps)


async def _gives_up(client: Client, address: str) -> None:
    """The call is over at once; the run comes to its end, and the client can go on."""
    mark = f"mark{token_hex(6)}"
    given = {"workflowId": SLOW, "input": {"mark": mark}, "sync": True}
    try:
        await asyncio.wait_for(client.call("run_workflow", given), GIVES_UP_AFTER_S)
        raise AssertionError("the call was not given up")
    except asyncio.TimeoutError:
        _true(not _remembers(address, mark), "the run was over before it was given up")
    for _ in range(int(FINISHES_WITHIN_S / ASKS_EVERY_S)):
        if _remembers(address, mark):
            break
        await asyncio.sleep(ASKS_EVERY_S)
    _true(_remembers(address, mark), "the run ended with the call that started it")
    await client.tools()


def _remembers(address: str, mark: str) -> bool:
    with urllib.request.urlopen(f"{address}/memory/search?q={mark}", timeout=FINISHES_WITHIN_S) as response:
        return len(json.load(response)["results"]) > 0


async def _approves_when_asked(connect) -> None:
    questions: list[str] = []

    def elicit(message: str, schema: dict) -> dict:
        questions.append(message)
        required = schema.get("required", [])
        fields = schema["properties"].items()
        return {
            name: True if field.get("type") == "boolean" else "agreed"
            for name, field in fields
            if field.get("type") == "boolean" or name in required
        }

    async with connect(elicit) as client:
        given = {"workflowId": GATE, "input": {"amount": 4}, "sync": True}
        record = _record(await client.call("run_workflow", given))
        _same(len(questions), 1, "how often the person is asked")
        _true("Pay 4?" in questions[0], f"the question names the gate: {questions[0]}")
        _same(record["status"], "completed", "the status of the record that the call gives")
        await _finished(client, {"workflowId": GATE, "runId": record["runId"]})


def _record(result: dict) -> dict:
    """As text and as structured content, which say the same."""
    text = result["content"][0]["text"]
    _true(not result.get("isError"), text)
    _same(result.get("structuredContent"), json.loads(text), "the structured content")
    return result["structuredContent"]


def _same(actual, expected, what: str) -> None:
    _true(actual == expected, f"{what}: {actual!r} is not {expected!r}")


def _true(value, message: str) -> None:
    # Not `assert`, which python -O leaves out.
    if not value:
        raise AssertionError(message)
