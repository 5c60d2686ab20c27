import { setTimeout as delay } from 'node:timers/promises';
import type { PublicEvent } from '../../src/engine/index.js';
import { Choices, printedSeed } from '../crash/support/choices.js';
import { watch, type Received } from '../support/event-stream.js';
import { startUnitServer, type UnitServer } from '../support/unit-server.js';
import { counted, KILLS } from './support/counts.js';
import { startedDatabase, type StartedDatabase } from './support/database.js';
import { ReplicaLedger } from './support/replica-ledger.js';
import { Replicas, type Replica } from './support/replicas.js';

const CUTS = counted(500);
/** Each of them takes as long as a replica takes to start. */
const STREAM_KILLS = Math.max(2, Math.round(KILLS / 5));
/** What is cut in the middle of a frame, or after it. */
const LONGEST_PIECE_BYTES = 3_000;
const UNITS = 60;
const ids = Array.from({ length: UNITS }, (_, index) => `u${index}`);
const WATCHED = {
  id: 'watched',
  yaml: JSON.stringify({
    apiVersion: 'flowgate/v1',
    kind: 'Workflow',
    metadata: { id: 'watched' },
    spec: {
      units: ids.map((id) => ({ id, uses: 'acme.work' })),
      flow: { type: 'parallel', units: ids, maxConcurrency: 4 },
    },
  }),
  bindings: (endpoint: string) => ({ 'acme.work': { type: 'http', endpoint } }),
};

const choices = new Choices(printedSeed('streams elsewhere'));
let database: StartedDatabase;
let units: UnitServer;
let replicas: Replicas;

beforeEach(async () => {
  database = await startedDatabase();
  units = await startUnitServer(async () => {
    await delay(choices.between(5, 60));
    return { body: { content: 'done' } };
  });
  replicas = new Replicas({
    databaseUrl: database.url,
    schema: database.schema,
    replicas: new ReplicaLedger(),
    workflows: [WATCHED],
    unitsUrl: units.url,
    choices: choices.fork(),
  });
  await replicas.begin(3);
});
afterEach(async () => {
  await replicas.close();
  await units.close();
  await database.dispose();
});

interface Joined {
  readonly events: readonly Received[];
  readonly cuts: number;
}

/**
 * Follows a stream that is cut somewhere again and again, each time at another replica than before, as a client does that is behind
 * a balancer: by what it saw last. A frame that did not come whole is as if it had not come.
 */
async function follow(
  path: string,
  from: string,
  isOver: (events: readonly Received[]) => boolean,
): Promise<Joined> {
  const random = choices.fork();
  const events: Received[] = [];
  let lastId = from;
  let cuts = 0;
  let before: Replica | null = null;
  while (!isOver(events)) {
    const others = replicas.all.filter((replica) => replica !== before);
    const replica = random.oneOf(others);
    before = replica;
    const cutAfterBytes = random.between(1, LONGEST_PIECE_BYTES);
    const stream = await watch(`${replica.url}${path}`, { lastId, cutAfterBytes }).catch(() => null);
    // It was killed.
    if (stream === null) continue;
    await stream.until((more) => isOver([...events, ...more]));
    stream.leave();
    await stream.over;
    events.push(...stream.events);
    lastId = stream.lastId();
    cuts += 1;
  }
  return { events, cuts };
}

/** The events of the run as pages of its log have them. */
async function toldOf(path: string): Promise<readonly PublicEvent[]> {
  const told: PublicEvent[] = [];
  const client = replicas.client();
  for (let afterSeq: number | null = 0; afterSeq !== null;) {
    const { body } = await client.get(`${path}/events?limit=1000&afterSeq=${afterSeq}`);
    const page = body as unknown as { readonly items: readonly PublicEvent[]; readonly next: number | null };
    told.push(...page.items);
    afterSeq = page.next;
  }
  return told;
}

/** Where the stream of all runs begins for who asks now. */
async function endOfAll(): Promise<string> {
  const first = await watch(`${replicas.any().url}/events`);
  while (first.lastId() === '') await delay(5);
  first.leave();
  return first.lastId();
}

async function startRun(): Promise<string> {
  const { body } = (await replicas
    .client()
    .post('/workflows/watched/runs', {}, { key: crypto.randomUUID() }))!;
  return `/workflows/watched/runs/${body.runId}`;
}

const isCompleted = (events: readonly Received[]): boolean =>
  events.at(-1)?.event === 'end' || events.at(-1)?.data.type === 'run.completed';
const dataOf = (events: readonly Received[]): readonly unknown[] =>
  events.filter(({ event }) => event !== 'end').map(({ data }) => data);

it(`the streams of a run and of all runs, cut at ${CUTS} places and joined at another replica each time, miss nothing and have nothing twice`, async () => {
  let cuts = 0;
  while (cuts < CUTS) {
    const from = await endOfAll();
    const path = await startRun();
    const [ofRun, ofAll] = await Promise.all([
      follow(`${path}/events`, '', isCompleted),
      follow('/events', from, isCompleted),
    ]);
    const told = await toldOf(path);
    expect(dataOf(ofRun.events)).toEqual(told);
    expect(dataOf(ofAll.events)).toEqual(told);
    cuts += ofRun.cuts + ofAll.cuts;
  }
  process.stdout.write(`${cuts} cuts\n`);
}, 120_000);

it(
  'and neither do they where the replicas that they come from are killed',
  async () => {
    const from = await endOfAll();
    const path = await startRun();
    const following = Promise.all([
      follow(`${path}/events`, '', isCompleted),
      follow('/events', from, isCompleted),
    ]);
    for (let kills = 0; kills < STREAM_KILLS; kills += 1) {
      await delay(choices.between(20, 300));
      await replicas.kill(replicas.any());
      await replicas.start();
    }
    const [ofRun, ofAll] = await following;
    const told = await toldOf(path);
    expect(dataOf(ofRun.events)).toEqual(told);
    expect(dataOf(ofAll.events)).toEqual(told);
    expect(told.filter(({ type }) => type === 'unit.finished')).toHaveLength(UNITS);
  },
  60_000 + STREAM_KILLS * 10_000,
);
