import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent } from 'undici';
import { LargeResponses } from '../../http/large-responses/large-responses.js';
import { AttemptHttp } from './attempt-http.js';

const QUESTION = '{"jsonrpc":"2.0","id":1,"method":"ask","params":{"text":"é€😀"}}';

let agent: Agent;
let server: Server | undefined;

async function fetched(type: string, respond: (response: ServerResponse) => void): Promise<Response> {
  const made = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': type });
    response.flushHeaders();
    respond(response);
  });
  server = made;
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  const http = new AttemptHttp({
    agent,
    largeResponses: new LargeResponses(),
    holder: {},
    abandon: () => undefined,
    context: { quote: (text) => text, clock: { wallTime: () => 0 }, maxResponseBytes: 1_000_000 },
  });
  return http.fetch(`http://127.0.0.1:${(made.address() as AddressInfo).port}/`, {
    method: 'POST',
    body: '{}',
  });
}

/** Each byte is a chunk of its own. */
function inBytes(text: string): (response: ServerResponse) => void {
  return (response) => {
    for (const byte of Buffer.from(text)) response.write(Uint8Array.of(byte));
    response.end();
  };
}

describe('what the server of an MCP unit sends', () => {
  beforeEach(() => {
    agent = new Agent();
  });

  afterEach(async () => {
    await agent.destroy();
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
  });

  it('is read right as a body, also where chunks end within a character', async () => {
    const response = await fetched('application/json', inBytes(QUESTION));
    expect(await response.text()).toBe(QUESTION);
  });

  it('is read right as a stream, also where chunks end within a character', async () => {
    const response = await fetched('text/event-stream', inBytes(`data: ${QUESTION}\n\n`));
    expect(await response.text()).toBe(`data: ${QUESTION}\n\n`);
  });

  it('is read right as a body of more chunks than are taken in before yielding', async () => {
    const text = 'é€😀'.repeat(8_000);
    expect(await (await fetched('application/json', inBytes(text))).text()).toBe(text);
  });

  it('is passed on at once as a small frame of a stream, whose server then waits', async () => {
    const response = await fetched('text/event-stream', (sent) => sent.write(`data: ${QUESTION}\n\n`));
    const reader = response.body!.getReader();
    const { value } = await reader.read();
    expect(new TextDecoder().decode(value)).toBe(`data: ${QUESTION}\n\n`);
    await reader.cancel();
  });
});
