import type { PublicEvent } from '../../src/engine/index.js';
import { watch, type Received } from '../support/event-stream.js';
import { startService, type Service } from '../support/service.js';
import { document, gate, mock } from '../support/workflow-documents.js';

/** The number of disconnections of each kind of stream. */
const CUTS = 500;
const MAX_BYTES = 4_000;

let service: Service;
beforeAll(async () => {
  service = await startService();
  const each = { flow: { type: 'foreach', items: 'input.items', do: 'say', maxConcurrency: 3 } };
  await service.register(
    document('long', [mock('say', { text: 'é'.repeat(300) }, { config: { delayMs: 2 } })], each),
  );
  await service.register(document('asks', [mock('a', 1), gate('ok'), mock('b', 2)]));
});
afterAll(() => service.close());

/** Random choices that are the same every time. */
function choices(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state % below;
  };
}

const started = (items: number) =>
  service.start('long', { input: { items: Array.from({ length: items }, (_, n) => n) } });

describe(`a stream that is disconnected at ${CUTS} random points`, () => {
  it('joins to exactly what the run did, during the run and afterwards', async () => {
    const random = choices(Number(process.env['FLOWGATE_CUT_SEED'] ?? 20_26));
    let cuts = 0;
    for (let run = 0; cuts < CUTS; run += 1) {
      const { runId } = await started(60);
      const path = `/workflows/long/runs/${runId}/events`;
      const view = run % 3 === 2 ? '?view=log' : '';
      const joined: Received[] = [];
      for (let isOver = false, lastId = ''; !isOver;) {
        const stream = await watch(`${service.url}${path}${view}`, {
          lastId,
          cutAfterBytes: 1 + random(MAX_BYTES),
        });
        await stream.over;
        joined.push(...stream.events);
        lastId = stream.lastId();
        isOver = stream.status === 204 || stream.events.at(-1)?.event === 'end';
        // A stream that reached its end was not disconnected.
        if (!isOver) cuts += 1;
      }
      if (joined.at(-1)?.event === 'end') joined.pop();
      const { items } = (await service.get(`${path}?limit=1000${view.replace('?', '&')}`)).body;
      expect(joined).toEqual(
        items.map((event: PublicEvent) => ({ id: String(event.seq), event: event.type, data: event })),
      );
    }
  }, 120_000);

  it('joins to exactly what all runs did', async () => {
    const random = choices(7);
    const whole = await watch(`${service.url}/events`);
    const first = await watch(`${service.url}/events`);
    while (whole.lastId() === '' || first.lastId() === '')
      await new Promise((resolve) => setImmediate(resolve));
    first.leave();
    const joined: Received[] = [];
    let lastId = first.lastId();
    let runs: string[] = [];
    const isComplete = () =>
      runs.every((runId) =>
        joined.some(({ data, event }) => event === 'run.completed' && data.runId === runId),
      );
    for (let cuts = 0; cuts < CUTS || !isComplete();) {
      if (isComplete() && cuts < CUTS) {
        runs = await Promise.all([started(20), started(20)]).then((all) => all.map(({ runId }) => runId));
      }
      const stream = await watch(`${service.url}/events`, { lastId, cutAfterBytes: 1 + random(MAX_BYTES) });
      const done = new Promise<void>((resolve) => {
        void stream
          .until((events) => {
            const told = new Set(
              [...joined, ...events]
                .filter(({ event }) => event === 'run.completed')
                .map(({ data }) => data.runId),
            );
            return runs.every((runId) => told.has(runId));
          })
          .then(resolve);
      });
      const isCut = await Promise.race([stream.over.then(() => true), done.then(() => false)]);
      stream.leave();
      await stream.over;
      expect(stream.events.some(({ event }) => event === 'reset')).toBe(false);
      joined.push(...stream.events);
      lastId = stream.lastId();
      // A stream that was left because it had sent everything was not disconnected.
      if (isCut) cuts += 1;
    }
    await whole.until((events) => events.length >= joined.length);
    whole.leave();
    expect(joined).toEqual(whole.events);
  }, 120_000);

  it('repeats no event when it is continued in the middle of one append', async () => {
    const whole = await watch(`${service.url}/events`);
    const { runId } = await service.start('asks');
    await whole.until((events) =>
      events.some(({ data }) => data.runId === runId && data.type === 'gate.opened'),
    );
    whole.leave();
    for (const [index, { id }] of whole.events.entries()) {
      const rest = whole.events.slice(index + 1);
      const again = await watch(`${service.url}/events`, { lastId: id });
      await again.until((events) => events.length >= rest.length);
      again.leave();
      expect(again.events).toEqual(rest);
    }
  });
});
