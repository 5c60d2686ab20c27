import { createEngine, type Engine, type PublicEvent, type UnitHandler } from '../../src/engine/index.js';
import type { RunDriver } from '../../src/engine/ports/run-driver.js';
import { aWhile } from '../support/durability-engine.js';
import { inSequence } from '../support/engine.js';
import { until } from '../support/eventually.js';
import { startedDatabase, type StartedDatabase } from './support/database.js';
import { startProxy, type Proxy } from './support/proxy.js';
import { sharedServer } from './support/server.js';

/** Nobody listens there. */
const NOWHERE = 9;

/** An engine as a process of its own would have it: its parts, and its way to the database. */
interface Replica {
  readonly engine: Engine;
  readonly driver: RunDriver;
  readonly proxy: Proxy;
}

type Units = (name: string) => Readonly<Record<string, UnitHandler>>;

let database: StartedDatabase;
const replicas: Replica[] = [];

beforeEach(async () => {
  database = await startedDatabase();
});
afterEach(async () => {
  for (const { engine, proxy } of replicas.splice(0)) {
    // One whose way was cut cannot say goodbye.
    await engine.close().catch(() => undefined);
    await proxy.close();
  }
  await database.dispose();
});

const owned = ({ driver }: Replica): number => driver.figures?.().shardsOwned ?? 0;

/** Joins those that are there; resolves once each has its share. */
async function join(name: string, units: Units): Promise<Replica> {
  const proxy = await startProxy(sharedServer().port);
  const parts = database.replica({ url: proxy.through(database.url) });
  const engine = createEngine({ ...parts, sameInstantMs: 0, shutdownGraceMs: 1_000 });
  for (const [uses, handler] of Object.entries(units(name))) engine.registerUnit(uses, handler);
  const replica = { engine, driver: parts.driver, proxy };
  replicas.push(replica);
  await engine.open();
  const share = Math.floor(parts.driver.shardCount / replicas.length);
  await until(() => replicas.every((one) => owned(one) >= share - 1), 'each has its share');
  return replica;
}

async function leave(replica: Replica): Promise<void> {
  replicas.splice(replicas.indexOf(replica), 1);
  await replica.engine.close();
  await replica.proxy.close();
}

async function twoEngines(units: Units) {
  const left = await join('left', units);
  const right = await join('right', units);
  return { left: left.engine, right: right.engine, ofLeft: left };
}

/** Which engine called each execution: none may be called twice. */
class Ledger {
  readonly calls = new Map<string, string[]>();

  unit(name: string, answer: () => unknown = () => name): UnitHandler {
    return ({ context }) => {
      this.calls.set(context.executionId, [...(this.calls.get(context.executionId) ?? []), name]);
      return answer();
    };
  }

  get repeated(): readonly string[] {
    return [...this.calls]
      .filter(([, by]) => by.length > 1)
      .map(([id, by]) => `${id} by ${by.join(' and ')}`);
  }
}

const gated = inSequence('gated', [
  { id: 'before', uses: 'work' },
  { id: 'gate', uses: 'builtin.approval' },
  { id: 'after', uses: 'work' },
]);

async function typesIn(engine: Engine, runId: string): Promise<readonly string[]> {
  const { items } = await engine.runs.events({ workflowId: 'w', runId, view: 'log' });
  return items.map(({ type }) => type);
}

describe('two engines on one database', () => {
  it('each own half of it, and the one that remains owns all', async () => {
    const { left, ofLeft } = await twoEngines(() => ({ work: () => 1 }));
    expect(replicas.map(owned)).toEqual([32, 32]);
    expect(replicas.map(({ driver }) => driver.figures?.().replicas)).toEqual([2, 2]);
    await leave(ofLeft);
    expect(left.isClosing).toBe(true);
    await until(() => owned(replicas[0]!) === 64, 'the other one owns all');
  });

  it('see what the other registered, decided and finished', async () => {
    const ledger = new Ledger();
    const { left, right } = await twoEngines((name) => ({ work: ledger.unit(name) }));
    await left.workflows.register({ yaml: gated });
    expect((await right.workflows.list()).map(({ workflowId }) => workflowId)).toEqual(['gated']);
    const { runId, status } = await right.runs.start({ workflowId: 'gated', sync: true });
    expect(status).toBe('paused');
    const address = { workflowId: 'gated', runId };
    expect((await left.runs.get(address)).result?.completedUnits).toEqual(['before']);
    expect(await left.gates.open(address)).toMatchObject([{ unitId: 'gate', payload: null }]);
    expect(await left.gates.open(address)).toEqual(await right.gates.open(address));
    const decided = await left.gates.respond({ ...address, approved: true, responder: 'ann' });
    expect(decided).toMatchObject({
      status: 'completed',
      result: { completedUnits: ['before', 'gate', 'after'] },
    });
    expect((await right.runs.get(address)).status).toBe('completed');
    // The run is in a shard of the engine that it was started at.
    expect([...ledger.calls.values()].flat()).toEqual(['right', 'right']);
  });

  it('show the same events, and with them the same pauses, whichever of them is asked', async () => {
    const { left, right } = await twoEngines(() => ({ work: () => 1 }));
    await left.workflows.register({ yaml: gated });
    for (const [one, other] of [
      [left, right],
      [right, left],
    ] as const) {
      const { runId } = await one.runs.start({ workflowId: 'gated', sync: true });
      const address = { workflowId: 'gated', runId };
      const { items: paused } = await one.runs.events(address);
      expect(paused.at(-1)?.change?.type).toBe('run.paused');
      expect((await other.runs.events(address)).items).toEqual(paused);
      await other.gates.respond({ ...address, approved: true, responder: 'ann' });
      const { items } = await one.runs.events(address);
      expect(items.slice(0, paused.length)).toEqual(paused);
      expect(items.flatMap(({ change }) => change?.type ?? [])).toEqual(['run.paused', 'run.resumed']);
      for (const engine of [one, other]) {
        const streamed: PublicEvent[] = [];
        for await (const event of engine.runs.stream(address)) streamed.push(event);
        expect(streamed).toEqual(items);
        expect((await engine.runs.events({ ...address, tail: 4 })).items).toEqual(items.slice(-4));
      }
    }
  });

  it('start from what is registered now, whichever of them registered it', async () => {
    const { left, right } = await twoEngines(() => ({ work: () => 1 }));
    const version = (id: string) => inSequence('w', [{ id, uses: 'work' }]);
    for (let round = 0; round < 10; round += 1) {
      const [here, there] = round % 2 === 0 ? [left, right] : [right, left];
      await here.workflows.register({ yaml: version(`unit-${round}`) });
      const record = await there.runs.start({ workflowId: 'w', sync: true });
      expect(record.result?.completedUnits).toEqual([`unit-${round}`]);
    }
  });

  it('leave no mark of a risk behind for runs that one decided and the other went on with', async () => {
    const { left, right } = await twoEngines(() => ({ work: () => 1 }));
    await left.workflows.register({ yaml: gated });
    const starts = Array.from({ length: 10 }, () => right.runs.start({ workflowId: 'gated', sync: true }));
    for (const { runId } of await Promise.all(starts)) {
      const decision = { workflowId: 'gated', runId, approved: true, responder: 'ann' };
      expect((await left.gates.respond(decision)).status).toBe('completed');
    }
    const marks = async () => (await database.sql('SELECT run_id, doing FROM @.risk_marks')).length;
    await until(async () => (await marks()) === 0, 'no run is marked');
  });

  it('call the next unit once when both receive the same decision at the same instant', async () => {
    const ledger = new Ledger();
    const { left, right } = await twoEngines((name) => ({ work: ledger.unit(name) }));
    await left.workflows.register({ yaml: gated });
    const starts = Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? left : right).runs.start({ workflowId: 'gated', sync: true }),
    );
    for (const { runId } of await Promise.all(starts)) {
      const decision = { workflowId: 'gated', runId, approved: true, responder: 'ann' };
      const both = await Promise.all([left.gates.respond(decision), right.gates.respond(decision)]);
      expect(both.map(({ status }) => status)).toEqual(['completed', 'completed']);
    }
    expect(ledger.repeated).toEqual([]);
    expect(ledger.calls.size).toBe(40);
  });

  it('call no unit twice while a third joins and leaves under load, and every run ends', async () => {
    const ledger = new Ledger();
    const soon = () => new Promise((resolve) => setTimeout(resolve, 3));
    const units: Units = (name) => ({ work: ledger.unit(name, soon) });
    const { left, right } = await twoEngines(units);
    const four = ['a', 'b', 'c', 'd'].map((id) => ({ id, uses: 'work' }));
    await left.workflows.register({ yaml: inSequence('w', four) });
    const records: Promise<{ readonly status: string }>[] = [];
    const over = new AbortController();
    const clients = [left, right].flatMap((engine) =>
      Array.from({ length: 10 }, async () => {
        while (!over.signal.aborted) {
          const record = engine.runs.start({ workflowId: 'w', sync: true });
          records.push(record);
          await record;
        }
      }),
    );
    for (let round = 0; round < 3; round += 1) {
      const third = await join(`third ${round}`, units);
      const starts = Array.from({ length: 10 }, () =>
        third.engine.runs.start({ workflowId: 'w', sync: true }),
      );
      records.push(...starts);
      await Promise.all(starts);
      await leave(third);
      await until(() => replicas.every((one) => owned(one) === 32), 'the two own all again');
    }
    over.abort();
    await Promise.all(clients);
    const ends = (await Promise.all(records)).map(({ status }) => status);
    expect(ends.filter((status) => status !== 'completed')).toEqual([]);
    expect(ledger.repeated).toEqual([]);
    expect(ledger.calls.size).toBe(4 * ends.length);
    // The third had a share of the work.
    expect(new Set([...ledger.calls.values()].flat().map((name) => name.split(' ')[0]))).toEqual(
      new Set(['left', 'right', 'third']),
    );
  });

  it('hand over runs without counting it as a recovery', async () => {
    const ledger = new Ledger();
    const hanging = new Promise(() => {});
    const { left, right, ofLeft } = await twoEngines((name) => ({
      work: ledger.unit(name, () => (name === 'left' ? hanging : 'done')),
    }));
    await left.workflows.register({ yaml: inSequence('w', [{ id: 'a', uses: 'work' }]) });
    const { runId } = await left.runs.start({ workflowId: 'w' });
    await until(() => ledger.calls.size === 1, 'the unit is called');
    const leaving = leave(ofLeft);
    const status = async () => (await right.runs.get({ workflowId: 'w', runId })).status;
    await until(async () => (await status()) === 'completed', 'the run ends elsewhere');
    await leaving;
    expect([...ledger.calls.values()]).toEqual([['left', 'right']]);
    expect(await typesIn(right, runId)).not.toContain('recovered');
  });

  it('take over from one that is cut off, whose stale results change nothing', async () => {
    const ledger = new Ledger();
    const { promise, resolve } = Promise.withResolvers<string>();
    const { left, right, ofLeft } = await twoEngines((name) => ({
      work: ledger.unit(name, () => (name === 'left' ? promise : 'of right')),
    }));
    await left.workflows.register({ yaml: inSequence('w', [{ id: 'a', uses: 'work' }]) });
    const { runId } = await left.runs.start({ workflowId: 'w' });
    await until(() => ledger.calls.size === 1, 'the unit is called');
    ofLeft.proxy.leadTo(NOWHERE);
    ofLeft.proxy.cut();
    const record = () => right.runs.get({ workflowId: 'w', runId });
    await until(async () => (await record()).status === 'completed', 'the run ends elsewhere');
    expect(owned(ofLeft)).toBe(0);
    const before = await typesIn(right, runId);
    // It has its database again, and the result of a call that is nobody's any more.
    ofLeft.proxy.leadTo(sharedServer().port);
    resolve('of left');
    await until(() => owned(ofLeft) > 0, 'it takes part again');
    await aWhile();
    expect(await typesIn(right, runId)).toEqual(before);
    expect((await record()).result?.state['output.a']).toBe('of right');
    expect([...ledger.calls.values()]).toEqual([['left', 'right']]);
  });
});
