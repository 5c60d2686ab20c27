import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent } from 'undici';
import { LargeAnswers } from '../../http/arrivals/large-answers.js';
import { AttemptHttp } from './attempt-http.js';

const QUESTION = '{"jsonrpc":"2.0","id":1,"method":"ask","params":{"text":"é€😀"}}';

let agent: Agent;
let server: Server | undefined;

async function asked(type: string, answer: (response: ServerResponse) => void): Promise<Response> {
  const made = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': type });
    response.flushHeaders();
    answer(response);
  });
  server = made;
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  const http = new AttemptHttp({
    agent,
    largeAnswers: new LargeAnswers(),
    holder: {},
    hopeless: () => undefined,
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

describe('what a unit of MCP is answered', () => {
  beforeEach(() => {
    agent = new Agent();
  });

  afterEach(async () => {
    await agent.destroy();
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
  });

  it('is read right as a body, also where chunks end within a character', async () => {
    const response = await asked('application/json', inBytes(QUESTION));
    expect(await response.text()).toBe(QUESTION);
  });

  it('is read right as a stream, also where chunks end within a character', async () => {
    const response = await asked('text/event-stream', inBytes(`data: ${QUESTION}\n\n`));
    expect(await response.text()).toBe(`data: ${QUESTION}\n\n`);
  });

  it('is read right as a body of more chunks than are taken in at once', async () => {
    const text = 'é€😀'.repeat(8_000);
    expect(await (await asked('application/json', inBytes(text))).text()).toBe(text);
  });

  it('is seen at once as a small frame of a stream, whose server then waits', async () => {
    const response = await asked('text/event-stream', (sent) => sent.write(`data: ${QUESTION}\n\n`));
    const reader = response.body!.getReader();
    const { value } = await reader.read();
    expect(new TextDecoder().decode(value)).toBe(`data: ${QUESTION}\n\n`);
    await reader.cancel();
  });
});
