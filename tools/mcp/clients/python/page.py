"""Plays the snippet of docs/mcp.md for Python, as it stands there but for the address."""

import contextlib
import io
import pathlib
import re
import sys

PAGE = pathlib.Path("docs", "mcp.md")
ADDRESS = "http://127.0.0.1:8787"

snippets = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
assert len(snippets) == 1, f"{PAGE} has {len(snippets)} snippets of Python, and not one."
assert ADDRESS in snippets[0], "The snippet does not connect to the service of the other pages."
printed = io.StringIO()
with contextlib.redirect_stdout(printed):
    exec(compile(snippets[0].replace(ADDRESS, sys.argv[1]), str(PAGE), "exec"), {"__name__": "__main__"})
tools, question, status = printed.getvalue().strip().split("\n")
assert "run_workflow" in tools, tools
assert question == "Pay 120 for INV-7?", question
assert status == "completed", status
print("its snippet is asked, and completes")
