import { bound, document, mock, remote } from '../support/workflow-documents.js';
import { startUnitServer, type UnitServer } from '../support/unit-server.js';
import { besiege } from './support/siege.js';

/** Calls that are counted, never deferred, and aborted before anybody can respond. */
const careless = {
  circuitBreaker: { failureThreshold: 1_000_000, resetMs: 1 },
  retry: { maxAttempts: 100, baseMs: 1, jitter: false },
};
const careful = { circuitBreaker: { failureThreshold: 5, resetMs: 600_000 }, retry: { maxAttempts: 1 } };

let shared: UnitServer;
beforeAll(async () => {
  // The endpoint is healthy, and too slow for a time-out of a millisecond.
  shared = await startUnitServer(async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return { body: { content: 'ok' } };
  });
});
afterAll(() => shared.close());

describe('calls that fail because their author wants it: nobody else is deferred', () => {
  it.each([
    ['time-outs of a millisecond at an endpoint that others call', 'call'],
    ['mocks that fail as they are told to', 'mock'],
  ])('%s', async (name, kind) => {
    const bindings = bound('call', `${shared.url}/call`);
    const isMock = kind === 'mock';
    const attacking = isMock ? mock('call', 1, { config: { failTimes: 100 } }) : remote('call');
    const honest = isMock ? mock('call', 'ok') : remote('call');
    const ended: unknown[] = [];
    const faults = await besiege(name, {
      attack: async ({ attacker, isOver }) => {
        const policy = { ...careless, timeout: { unitMs: isMock ? 60_000 : 1 } };
        const given = isMock ? undefined : bindings;
        await attacker.register(document('attack', [attacking], { policy }), given);
        await attacker.register(document('victim', [honest], { policy: careful }), given);
        await attacker.start('attack', {}, 5);
        while (!isOver()) {
          const { body } = await attacker.post('/workflows/victim/runs', { sync: true });
          ended.push(body['status']);
        }
      },
    });
    expect(faults).toEqual([]);
    expect(ended.length).toBeGreaterThan(5);
    expect(new Set(ended)).toEqual(new Set(['completed']));
  });
});
