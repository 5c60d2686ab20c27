"""Plays a snippet of docs/mcp.md, as it stands there but for the address: `ADDRESS REVISION CLIENT`."""

import contextlib
import io
import pathlib
import re
import sys

PAGE = pathlib.Path("docs", "mcp.md")
ADDRESS = "http://127.0.0.1:8787"
# By what its snippet imports.
CLIENTS = {
    "mcp-2": "from mcp import Client\n",
    "mcp-1": "from mcp import ClientSession\n",
    "fastmcp": "from fastmcp import Client\n",
}

address, _, client = sys.argv[1:]
every = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
snippets = [text for text in every if CLIENTS[client] in text and ADDRESS in text]
assert len(snippets) == 1, f"{PAGE} has {len(snippets)} snippets of {client}, and not one."
printed = io.StringIO()
with contextlib.redirect_stdout(printed):
    exec(compile(snippets[0].replace(ADDRESS, address), str(PAGE), "exec"), {"__name__": "__main__"})
tools, *answer = printed.getvalue().strip().split("\n")
for tool in ("run_workflow", "get_run", "respond_hitl", "list_workflows"):
    assert repr(tool) in tools, f"The snippet prints no {tool}: {tools}"
# The first snippet also starts a run, whose gate asks.
asked = [answer[0], answer[-1]] if answer else []
assert asked == (["Pay 120 for INV-7?", "completed"] if client == "mcp-2" else []), answer
print(f"its snippet lists {tools.count(',') + 1} tools")
