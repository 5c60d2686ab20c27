import { setTimeout as delay } from 'node:timers/promises';
import { Choices, printedSeed } from '../crash/support/choices.js';
import { PersistentClient } from '../crash/support/persistent-client.js';
import { startUnitServer, type UnitServer } from '../support/unit-server.js';
import { until } from '../support/eventually.js';
import { bound, document, remote } from '../support/workflow-documents.js';
import { ask } from './support/gated.js';
import { REPLICA_HEADER } from './support/replica-ledger.js';
import { startSteadyReplicas, type SteadyReplicas } from './support/steady-replicas.js';
import { STEADY } from './support/steady-load.js';

/**
 * Three deaths of a run suspend it. The mark of its first call may be lost with the process, as nobody waits for that: so there is one
 * more at most.
 */
const DEATHS = [3, 4];
const LOOK_EVERY_MS = 100;
const SUSPENDED_WITHIN_MS = 60_000;
const KNOWN_WITHIN_MS = 10_000;

const choices = new Choices(printedSeed('deadly run'));
let steady: SteadyReplicas;
let killer: UnitServer | null = null;
afterEach(async () => {
  await steady?.close();
  await killer?.close();
  killer = null;
});

/** One that has just started may call before the test knows that it is ready. */
async function found<One>(find: () => One | undefined): Promise<One | undefined> {
  for (const giveUpAt = Date.now() + KNOWN_WITHIN_MS; Date.now() < giveUpAt; await delay(LOOK_EVERY_MS)) {
    const one = find();
    if (one !== undefined) return one;
  }
  return undefined;
}

/** A unit that kills whatever process calls it, as soon as it is called. */
async function startKiller(killed: string[]): Promise<UnitServer> {
  return startUnitServer(async ({ headers }) => {
    const { replicas } = steady;
    const name = String(headers[REPLICA_HEADER]);
    const victim = await found(() => replicas.all.find((replica) => replica.name === name));
    // Called by one that is dead already: what it sent before is still on its way.
    if (victim === undefined) return { status: 503, body: 'nobody listens' };
    killed.push(name);
    await replicas.kill(victim);
    await replicas.start();
    return { status: 503, body: 'nobody listens' };
  });
}

/**
 * Clients with one run after another. One that was being called each time that a process died counts as what it died of, too, and goes
 * on when it is resumed.
 */
class Others {
  ended = 0;
  resumed = 0;
  readonly faults: string[] = [];
  private isOver = false;
  private readonly loops: readonly Promise<void>[];

  constructor(
    private readonly client: PersistentClient,
    size: number,
  ) {
    this.loops = Array.from({ length: size }, () => this.loop());
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.loops);
  }

  private async loop(): Promise<void> {
    while (!this.isOver) {
      const key = PersistentClient.key();
      const start = await this.client.post('/workflows/steady/runs', { input: { token: key } }, { key });
      const path = `/workflows/steady/runs/${start?.body.runId}`;
      const status = await this.endOf(path);
      if (status === 'completed') this.ended += 1;
      else this.faults.push(`${path} is ${status}`);
    }
  }

  private async endOf(path: string): Promise<string> {
    const giveUpAt = Date.now() + SUSPENDED_WITHIN_MS;
    for (;;) {
      const status = (await this.client.get(path)).body.status ?? 'unknown';
      if (status === 'completed' || status === 'failed' || Date.now() > giveUpAt) return status;
      if (status === 'paused') {
        this.resumed += 1;
        await this.client.post(`${path}/resume`, {});
      }
      await delay(LOOK_EVERY_MS);
    }
  }
}

it('a run whose unit kills its process at once is suspended, and all others go on', async () => {
  const killed: string[] = [];
  killer = await startKiller(killed);
  const { url } = killer;
  const deadly = {
    id: 'deadly',
    yaml: document('deadly', [remote('kill')], { policy: { retry: { maxAttempts: 1 } } }),
    bindings: () => bound('kill', url),
  };
  steady = await startSteadyReplicas({ choices, workflows: [STEADY, deadly] });
  const { replicas, ledger } = steady;
  const load = new Others(replicas.client(), 6);
  const { body } = await ask(replicas.any().url, '/workflows/deadly/runs', { input: {} });
  const path = `/workflows/deadly/runs/${body.runId}`;
  const client = replicas.client();
  const run = async () => (await client.get(path)).body as { readonly status?: string };
  await until(async () => (await run()).status === 'paused', 'the run is suspended', SUSPENDED_WITHIN_MS);
  const events = (await client.get(`${path}/events`)).body;
  const ended = load.ended;
  await until(() => load.ended > ended + 10, 'other runs end', SUSPENDED_WITHIN_MS);
  process.stdout.write(
    `a deadly run took ${killed.length} replicas; ${load.ended} other runs ended, of which ${load.resumed} were resumed\n`,
  );
  expect(JSON.stringify(events)).toMatch(/recovery-limit/);
  expect(DEATHS).toContain(killed.length);
  expect(new Set(killed).size).toBe(killed.length);
  // It stays where it is: nobody calls it any more.
  expect((await run()).status).toBe('paused');
  await load.stop();
  expect([...load.faults, ...ledger.faults]).toEqual([]);
  expect(DEATHS).toContain(killed.length);
}, 180_000);
