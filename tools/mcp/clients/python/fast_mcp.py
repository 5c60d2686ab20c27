"""The client of fastmcp: `ADDRESS REVISION MODE`, with `legacy`, `auto` or a revision."""

from contextlib import asynccontextmanager

from fastmcp import Client
from fastmcp.client.elicitation import ElicitResult
from journey import play


class FastMcp:
    def __init__(self, client: Client):
        self.client, self.revision = client, client.protocol_version

    async def tools(self):
        return [tool.model_dump(by_alias=True, mode="json") for tool in await self.client.list_tools()]

    async def call(self, name, given, progress=None):
        result = await self.client.call_tool_mcp(name, given, progress_handler=progress)
        return result.model_dump(by_alias=True, mode="json")

    async def read(self, uri):
        return (await self.client.read_resource(uri))[0].text


@asynccontextmanager
async def connect(address, mode, elicit):
    async def asked(message, response_type, params, context):
        return ElicitResult(action="accept", content=elicit(message, params.requested_schema))

    async with Client(
        f"{address}/mcp", mode=mode, elicitation_handler=None if elicit is None else asked
    ) as client:
        yield FastMcp(client)


play(connect, "fastmcp")
