"""The official client for Python in its second version: `ADDRESS REVISION MODE`, with `legacy`, `auto` or a revision."""

from contextlib import asynccontextmanager

from journey import play
from mcp import Client
from mcp_types import ElicitResult


class V2:
    def __init__(self, client: Client):
        self.client, self.revision = client, client.protocol_version

    async def tools(self):
        listed = await self.client.list_tools()
        return [tool.model_dump(by_alias=True, mode="json") for tool in listed.tools]

    async def call(self, name, given, progress=None):
        result = await self.client.call_tool(name, given, progress_callback=progress)
        return result.model_dump(by_alias=True, mode="json")

    async def read(self, uri):
        return (await self.client.read_resource(uri)).contents[0].text


@asynccontextmanager
async def connect(address, mode, elicit):
    async def asked(context, params):
        return ElicitResult(action="accept", content=elicit(params.message, params.requested_schema))

    callback = None if elicit is None else asked
    async with Client(f"{address}/mcp", mode=mode, elicitation_callback=callback) as client:
        yield V2(client)


play(connect, "python-v2")
