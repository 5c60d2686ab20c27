import { jest } from '@jest/globals';
import { callUnit, StoppedClock, NOW, UNIT_REQUEST } from '../../../../../test/support/remote-unit.js';
import { startUnitServer, type UnitServer } from '../../../../../test/support/unit-server.js';
import type { ExecuteOptions } from '../../../ports/unit-executor.js';
import type { TransportRequest, UnitTransport } from '../../../ports/unit-transport.js';
import { HttpUnitExecutor } from '../http-unit-executor.js';
import { createTransport } from './undici-transport.js';

let server: UnitServer;
let transport: UnitTransport;

beforeEach(async () => {
  server = await startUnitServer();
  transport = createTransport();
});

afterEach(async () => {
  jest.restoreAllMocks();
  await transport.close();
  await server.close();
});

/** An attempt as the runtime gives it: making a signal of it is recorded. */
function attempt({ isOver = false } = {}) {
  const listeners: (() => void)[] = [];
  const options: ExecuteOptions = {
    idempotencyKey: 'run-1:5',
    onAbort: (listener) => (isOver ? listener() : void listeners.push(listener)),
    get signal(): never {
      throw new Error('a signal was made');
    },
  };
  return { options, listeners };
}

function executor(timeoutMs: number | null = null, clock = new StoppedClock(NOW)) {
  const headers = { Authorization: 'Bearer t', 'content-TYPE': 'text/plain' };
  return new HttpUnitExecutor({ endpoint: `${server.url}/unit`, headers, transport, clock, timeoutMs });
}

describe('what all calls to an endpoint have in common', () => {
  test('is prepared once: a call neither parses the address nor reads the headers', async () => {
    const headers = { Authorization: 'Bearer t' };
    const names = jest.fn(() => ['Authorization']);
    const watched = new Proxy(headers, { ownKeys: names });
    const parse = jest.spyOn(URL, 'parse');
    const calls = transport.callsTo!({ url: `${server.url}/unit`, headers: watched, maxResponseBytes: 100 });
    const before = [names.mock.calls.length, parse.mock.calls.length];
    for (let i = 0; i < 3; i += 1) {
      await calls.post({ headers: ['X-Call', String(i)], body: '{}', attempt: attempt().options });
    }
    expect([names.mock.calls.length, parse.mock.calls.length]).toEqual(before);
    expect(before).toEqual([1, 1]);
    expect(server.requests.map(({ headers: sent }) => [sent.authorization, sent['x-call']])).toEqual([
      ['Bearer t', '0'],
      ['Bearer t', '1'],
      ['Bearer t', '2'],
    ]);
  });
});

describe('an attempt that notifies of its end', () => {
  test.each([null, 5000])(
    'is not required to make a signal (limit of the binding: %p)',
    async (timeoutMs) => {
      server.answer({ body: { content: 'ok' } });
      const { options, listeners } = attempt();
      expect(await executor(timeoutMs).execute(UNIT_REQUEST, options)).toMatchObject({ output: 'ok' });
      expect(listeners).toHaveLength(1);
    },
  );

  test.each([null, 5000])(
    'ends the call, and its connection (limit of the binding: %p)',
    async (timeoutMs) => {
      server.answer(() => undefined);
      const { options, listeners } = attempt();
      const outcome = executor(timeoutMs).execute(UNIT_REQUEST, options);
      await server.received(1);
      for (const listener of listeners) listener();
      expect(await outcome).toMatchObject({ error: 'network error: aborted' });
      await server.disconnected();
    },
  );

  test('is over for the call at the limit of the binding', async () => {
    server.answer(() => undefined);
    const clock = new StoppedClock(NOW);
    const outcome = executor(5000, clock).execute(UNIT_REQUEST, attempt().options);
    await server.received(1);
    clock.fire();
    expect(await outcome).toMatchObject({ error: 'timed out after 5000 ms', outcome: 'unknown' });
    await server.disconnected();
  });

  test('that is over already sends nothing', async () => {
    const { options } = attempt({ isOver: true });
    for (const timeoutMs of [null, 5000]) {
      const outcome = await executor(timeoutMs).execute(UNIT_REQUEST, options);
      expect(outcome).toMatchObject({ error: 'network error: aborted' });
    }
    expect(server.acceptedConnections).toBe(0);
  });
});

test("a host's transport that knows single calls only is given all headers of each, and a signal", async () => {
  const requests: TransportRequest[] = [];
  const own: UnitTransport = {
    post: async (request) => {
      requests.push(request);
      return { kind: 'response', status: 200, headers: {}, body: '' };
    },
    close: () => Promise.resolve(),
  };
  const controller = new AbortController();
  const headers = { Authorization: 'Bearer t', TraceParent: 'theirs' };
  await callUnit({ endpoint: server.url, transport: own, options: { headers }, signal: controller.signal });
  expect(requests).toMatchObject([
    { url: server.url, maxResponseBytes: 10_485_760, signal: controller.signal },
  ]);
  expect(requests[0]!.headers).toEqual({
    Authorization: 'Bearer t',
    'Content-Type': 'application/json',
    'Idempotency-Key': 'run-1:5',
    traceparent: expect.stringMatching(/^00-/),
    'X-Flowgate-Run-Id': UNIT_REQUEST.context.runId,
    'X-Flowgate-Unit-Id': 'extract',
    'X-Flowgate-Attempt': '2',
  });
});
