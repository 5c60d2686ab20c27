import { setTimeout as delay } from 'node:timers/promises';
import type { PublicEvent } from '../../src/engine/index.js';
import { watch, type Received } from '../support/event-stream.js';
import { startUnitServer, type UnitServer } from '../support/unit-server.js';
import { Choices, printedSeed } from './support/choices.js';
import type { CrashWorkflow } from './support/crash-workflows.js';
import { ExecutionLedger } from './support/execution-ledger.js';
import { ServiceHost } from './support/service-host.js';

const KILLS = 6;
const UNITS = 200;
const ids = Array.from({ length: UNITS }, (_, index) => `u${index}`);
const WORKFLOW: Pick<CrashWorkflow, 'id' | 'yaml' | 'bindings'> = {
  id: 'watched',
  yaml: JSON.stringify({
    apiVersion: 'flowgate/v1',
    kind: 'Workflow',
    metadata: { id: 'watched' },
    spec: {
      units: ids.map((id) => ({ id, uses: 'acme.work' })),
      flow: { type: 'parallel', units: ids, maxConcurrency: 5 },
    },
  }),
  bindings: (endpoint) => ({ 'acme.work': { type: 'http', endpoint } }),
};

const choices = new Choices(printedSeed('streams'));
let units: UnitServer;
let host: ServiceHost;

beforeAll(async () => {
  units = await startUnitServer(async () => {
    await delay(choices.between(5, 60));
    return { body: { content: 'done' } };
  });
  host = new ServiceHost({
    ledger: new ExecutionLedger(),
    workflows: [WORKFLOW as CrashWorkflow],
    unitsUrl: units.url,
    environment: { FLOWGATE_RESUME_WAIT_MS: '100' },
  });
});
afterAll(async () => {
  await host.close();
  await units.close();
});

/** Follows a stream over restarts of the service, as a client that reconnects with what it saw last. */
async function follow(path: string, from: string, isOver: (events: readonly Received[]) => boolean) {
  const joined: Received[] = [];
  let lastId = from;
  while (!isOver(joined)) {
    const url = await host.current.listening.catch(() => null);
    const stream = url === null ? null : await watch(`${url}${path}`, { lastId }).catch(() => null);
    if (stream === null) {
      await delay(20);
      continue;
    }
    await stream.until((events) => isOver([...joined, ...events]));
    stream.leave();
    await stream.over;
    joined.push(...stream.events);
    lastId = stream.lastId();
  }
  return joined;
}

it(`joins the streams of a run and of all runs over ${KILLS} kills to exactly what is in the log`, async () => {
  const client = host.client();
  const { listening } = await host.start();
  const first = await watch(`${await listening}/events`);
  while (first.lastId() === '') await delay(5);
  first.leave();
  const start = await client.post('/workflows/watched/runs', {}, { key: 'the-run' });
  const runId = start!.body.runId!;
  const path = `/workflows/watched/runs/${runId}`;
  const isCompleted = (events: readonly Received[]) => events.at(-1)?.data.type === 'run.completed';
  const following = Promise.all([
    follow(`${path}/events`, '', (events) => events.at(-1)?.event === 'end' || isCompleted(events)),
    follow('/events', first.lastId(), isCompleted),
  ]);
  for (let kills = 0; kills < KILLS; kills += 1) {
    await delay(choices.between(20, 300));
    await host.current.kill();
    host.launch();
    await host.current.listening;
  }
  const resuming = (async () => {
    // A unit that saw one kill after another is suspected, and its run pauses.
    for (;;) {
      const { body } = await client.get(path);
      if (body.status === 'completed') return;
      if (body.status === 'paused') await client.post(`${path}/resume`, {});
      await delay(50);
    }
  })();
  const [ofRun, ofAll] = await following;
  await resuming;
  const told: PublicEvent[] = [];
  for (let afterSeq: number | null = 0; afterSeq !== null;) {
    const { body } = await client.get(`${path}/events?limit=1000&afterSeq=${afterSeq}`);
    const page = body as unknown as { readonly items: readonly PublicEvent[]; readonly next: number | null };
    told.push(...page.items);
    afterSeq = page.next;
  }
  expect(ofRun.filter(({ event }) => event !== 'end').map(({ data }) => data)).toEqual(told);
  expect(ofAll.map(({ data }) => data)).toEqual(told);
  expect(told.filter(({ type }) => type === 'unit.finished')).toHaveLength(UNITS);
}, 120_000);
