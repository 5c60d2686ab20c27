// @modelcontextprotocol/client, the second version of the official TypeScript client: `ADDRESS REVISION MODE`, with a mode
// of `legacy`, `auto` or `pin`.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { journey } from './journey.mjs';

const [address, revision, how] = process.argv.slice(2);
const mode = how === 'pin' ? { pin: revision } : how;

async function connect({ elicit, changed }) {
  const client = new Client(
    { name: 'typescript-v2', version: '1.0.0' },
    {
      capabilities: elicit === undefined ? {} : { elicitation: { form: {} } },
      versionNegotiation: { mode },
      ...(changed === undefined
        ? {}
        : { listChanged: { resources: { autoRefresh: false, debounceMs: 0, onChanged: changed } } }),
    },
  );
  if (elicit !== undefined) client.setRequestHandler('elicitation/create', ({ params }) => elicit(params));
  const transport = new StreamableHTTPClientTransport(new URL(`${address}/mcp`));
  await client.connect(transport);
  return {
    revision: client.getNegotiatedProtocolVersion(),
    tools: async () => (await client.listTools()).tools,
    call: (name, given, options) => client.callTool({ name, arguments: given }, options),
    resources: async () => (await client.listResources()).resources,
    read: async (uri) => (await client.readResource({ uri })).contents,
    prompt: async (name, given) => (await client.getPrompt({ name, arguments: given })).messages,
    close: async () => {
      if (transport.sessionId !== undefined) await transport.terminateSession();
      await client.close();
    },
  };
}

process.stdout.write(`${await journey({ address, revision, responder: 'typescript-v2', connect })}\n`);
