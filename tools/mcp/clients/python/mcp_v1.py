"""The official client for Python in its first version: `ADDRESS REVISION`."""

from contextlib import asynccontextmanager

from journey import play
from mcp import ClientSession, types
from mcp.client.streamable_http import streamable_http_client
from pydantic import AnyUrl


class V1:
    def __init__(self, session: ClientSession, revision: str):
        self.session, self.revision = session, revision

    async def tools(self):
        listed = await self.session.list_tools()
        return [tool.model_dump(by_alias=True, mode="json") for tool in listed.tools]

    async def call(self, name, given, progress=None):
        result = await self.session.call_tool(name, given, progress_callback=progress)
        return result.model_dump(by_alias=True, mode="json")

    async def read(self, uri):
        return (await self.session.read_resource(AnyUrl(uri))).contents[0].text


@asynccontextmanager
async def connect(address, mode, elicit):
    async def asked(context, params):
        content = elicit(params.message, params.requestedSchema)
        return types.ElicitResult(action="accept", content=content)

    async with streamable_http_client(f"{address}/mcp") as (read, write, _):
        callback = None if elicit is None else asked
        async with ClientSession(read, write, elicitation_callback=callback) as session:
            initialized = await session.initialize()
            yield V1(session, initialized.protocolVersion)


play(connect, "python-v1")
