// @modelcontextprotocol/sdk, the first version of the official TypeScript client: `ADDRESS REVISION`.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  ElicitRequestSchema,
  ResourceListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { journey } from './journey.mjs';

const [address, revision] = process.argv.slice(2);

async function connect({ elicit, changed }) {
  const capabilities = elicit === undefined ? {} : { elicitation: { form: {} } };
  const client = new Client({ name: 'typescript-v1', version: '1.0.0' }, { capabilities });
  if (elicit !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => elicit(params));
  }
  if (changed !== undefined) client.setNotificationHandler(ResourceListChangedNotificationSchema, changed);
  const transport = new StreamableHTTPClientTransport(new URL(`${address}/mcp`));
  await client.connect(transport);
  return {
    revision: transport.protocolVersion,
    tools: async () => (await client.listTools()).tools,
    call: (name, given, options) => client.callTool({ name, arguments: given }, undefined, options),
    resources: async () => (await client.listResources()).resources,
    read: async (uri) => (await client.readResource({ uri })).contents,
    prompt: async (name, given) => (await client.getPrompt({ name, arguments: given })).messages,
    close: async () => {
      await transport.terminateSession();
      await client.close();
    },
  };
}

process.stdout.write(`${await journey({ address, revision, responder: 'typescript-v1', connect })}\n`);
