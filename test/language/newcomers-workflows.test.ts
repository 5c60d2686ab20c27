import { readFileSync } from 'node:fs';
import {
  NonRetryableError,
  type Engine,
  type JsonObject,
  type JsonValue,
  type RunRecord,
  type UnitHandler,
  type UnitRequest,
} from '../../src/engine/index.js';
import type { ManualClock } from '../../src/engine/testing/manual-clock.js';
import { openEngine } from '../support/engine.js';
import { eventually } from '../support/eventually.js';

/**
 * What newcomers wanted to write, in the words that the language has for it. Each is tried the way that goes well and the ways
 * that do not, and in none is anything left behind: no stock, no money, no open gate, no timer, no run.
 */
const DAY_MS = 24 * 3_600_000;
const NAMES = ['order-saga', 'invoice', 'nightly-report', 'agent', 'doc-review', 'parent'];

/** What the shop holds for customers, and what was said to people. */
let held: Map<string, number>;
let said: string[];
let engine: Engine;
let clock: ManualClock;
/** Held back until it is called. */
let letShip: () => void;
let isShippingSlow: boolean;

function change(what: string, by: 1 | -1): JsonObject {
  const count = (held.get(what) ?? 0) + by;
  if (count === 0) held.delete(what);
  else held.set(what, count);
  return { id: `${what} ${count}` };
}

beforeEach(async () => {
  [held, said, isShippingSlow] = [new Map(), [], false];
  const shipping = new Promise<void>((resolve) => {
    letShip = resolve;
  });
  let thoughts = 0;
  const units: Record<string, (input: never) => unknown> = {
    'shop.reserve': ({ sku }: { sku: string }) => change(`stock of ${sku}`, 1),
    'shop.release': ({ input }: { input: { sku: string } }) => change(`stock of ${input.sku}`, -1),
    'shop.charge': ({ sku, card }: { sku: string; card: string }) => {
      if (card === 'declined') throw new NonRetryableError('card declined');
      return change(`money for ${sku}`, 1);
    },
    'shop.refund': ({ input }: { input: { sku: string } }) => change(`money for ${input.sku}`, -1),
    'shop.ship': async ({ sku }: { sku: string }) => {
      if (isShippingSlow) await shipping;
      if (sku === 'broken') throw new NonRetryableError('it fell off the lorry');
      return { id: `parcel of ${sku}` };
    },
    'acme.remind': ({ text }: { text: string }) => void said.push(text),
    'acme.post': (input: JsonObject) => void said.push(`posted ${JSON.stringify(input)}`),
    'acme.tell': ({ why }: { why: string }) => void said.push(why),
    'acme.report': (input: JsonObject) => input,
    'acme.row': ({ id }: { id: string }) => {
      if (id.startsWith('bad')) throw new NonRetryableError(`row ${id} is broken`);
      return { id };
    },
    'acme.llm': ({ task }: { task: string }) => {
      thoughts += 1;
      const isDone = task === 'easy' && thoughts > 2;
      const state = isDone ? { done: true, answer: 42 } : { next: 'search' };
      return { content: { args: 'x' }, state, tokenUsage: { totalTokens: 200 } };
    },
    'acme.tool': ({ name }: { name: string }) => void said.push(name),
  };
  const handlers = Object.entries(units).map(([uses, work]) => [
    uses,
    ({ input }: UnitRequest) => work(input as never) as JsonValue,
  ]);
  ({ engine, clock } = await openEngine(Object.fromEntries(handlers) as Record<string, UnitHandler>));
  for (const name of NAMES) await engine.workflows.register({ yaml: documentOf(name) });
});
afterEach(async () => {
  const { pending, running, paused, openGates } = await engine.standing();
  await engine.close();
  expect({ pending, running, paused, openGates }).toEqual({
    pending: 0,
    running: 0,
    paused: 0,
    openGates: 0,
  });
});

const documentOf = (name: string): string =>
  readFileSync(new URL(`../fixtures/newcomers/${name}.yaml`, import.meta.url), 'utf8');

const start = (workflowId: string, input: JsonObject, sync = true): Promise<RunRecord> =>
  engine.runs.start({ workflowId, input, sync });
const decide = ({ workflowId, runId }: RunRecord, approved: boolean, gateId?: number) =>
  engine.gates.respond({ workflowId, runId, approved, responder: 'ann', gateId });
const read = ({ workflowId, runId }: RunRecord) => engine.runs.full({ workflowId, runId });
const over = (run: RunRecord) =>
  eventually(
    () => read(run),
    ({ status }) => status === 'completed' || status === 'failed',
  );
const gateOf = async ({ runId }: RunRecord, unitId: string): Promise<number> => {
  const { items } = await engine.gates.list();
  return items.find((gate) => gate.runId === runId && gate.unitId === unitId)!.gateId;
};

describe.each(NAMES)('the document %s', (name) => {
  it('is accepted without a warning', async () => {
    expect((await engine.workflows.check({ yaml: documentOf(name) })).warnings).toEqual([]);
  });
});

describe('an order', () => {
  it('is reserved, charged and shipped', async () => {
    const run = await start('order-saga', { sku: 'tea', card: 'good' });
    expect(run.result?.output).toEqual({ sku: 'tea', tracking: 'parcel of tea' });
    expect([...held.keys()]).toEqual(['stock of tea', 'money for tea']);
  });

  it.each([
    ['a declined card', { sku: 'tea', card: 'declined' }, 'charge'],
    ['a parcel that is lost', { sku: 'broken', card: 'good' }, 'ship'],
  ])('leaves nothing behind after %s', async (_what, input, unitId) => {
    const run = await start('order-saga', input);
    expect(run.status).toBe('failed');
    expect((await read(run)).failure).toMatchObject({ unitId, code: 'unit', line: 12 });
    expect(held.size).toBe(0);
  });

  it('leaves nothing behind when it is cancelled', async () => {
    isShippingSlow = true;
    const run = await start('order-saga', { sku: 'tea', card: 'good' }, false);
    await eventually(
      async () => held.size,
      (size) => size === 2,
    );
    const cancelled = engine.runs.cancel({ workflowId: 'order-saga', runId: run.runId });
    await clock.advance(10_000);
    letShip();
    expect(await cancelled).toMatchObject({ status: 'failed', cancelled: true });
    expect(held.size).toBe(0);
  });
});

describe('an invoice', () => {
  it('is posted once it is approved, and nobody is reminded after that', async () => {
    const run = await start('invoice', { amount: 7 }, false);
    await eventually(
      () => engine.gates.list(),
      ({ open }) => open === 1,
    );
    await clock.advance(2 * DAY_MS + 1);
    await eventually(
      async () => said.length,
      (length) => length === 2,
    );
    await decide(run, true);
    expect((await over(run)).status).toBe('completed');
    await clock.advance(30 * DAY_MS);
    expect(said).toEqual(['please decide', 'please decide', 'posted {"amount":7}']);
  });

  it('is not posted when nobody decides in a week', async () => {
    const run = await start('invoice', { amount: 7 }, false);
    await eventually(
      () => engine.gates.list(),
      ({ open }) => open === 1,
    );
    for (let day = 0; day < 8; day++) await clock.advance(DAY_MS);
    const { status, result } = await over(run);
    expect([status, result.state['output.ask']]).toMatchObject([
      'completed',
      { approved: false, responder: 'engine', timedOut: true },
    ]);
    expect(said.filter((text) => text.startsWith('posted'))).toEqual([]);
  });
});

describe('a nightly report', () => {
  it('has every row, and says of each that is missing why', async () => {
    const ids = Array.from({ length: 50 }, (_, index) =>
      index % 10 === 3 ? `bad-${index}` : `row-${index}`,
    );
    const { status, result } = await start('nightly-report', { ids });
    expect(status).toBe('completed');
    const { rows, bad } = result!.state['output.report'] as unknown as { rows: unknown[]; bad: JsonObject[] };
    expect(rows.filter((row) => row === null)).toHaveLength(5);
    expect(bad).toHaveLength(5);
    expect(bad[1]).toEqual({
      index: 13,
      itemKey: 'bad-13',
      unitId: 'row',
      code: 'unit',
      message: expect.stringContaining('row bad-13 is broken'),
    });
  });

  it('is none where more than a tenth of the rows is missing', async () => {
    const ids = ['row', 'bad', 'bad-too'];
    expect(await start('nightly-report', { ids })).toMatchObject({ status: 'failed' });
  });
});

describe('an agent', () => {
  it('calls tools until it has an answer', async () => {
    const { result } = await start('agent', { task: 'easy' });
    expect([result?.output, said]).toEqual([42, ['search', 'search']]);
  });

  it('gives up where its budget is used up', async () => {
    const { status, result } = await start('agent', { task: 'hard' });
    expect([status, result?.output]).toEqual(['completed', 'no answer: budget']);
  });
});

describe('a review by two', () => {
  it('publishes once both have agreed', async () => {
    const run = await start('doc-review', {});
    await decide(run, true, await gateOf(run, 'legal'));
    const { status } = await decide(run, true, await gateOf(run, 'security'));
    expect([status, said]).toEqual(['completed', ['posted {}']]);
  });

  it('ends with the first who does not, and withdraws what the other was asked', async () => {
    const run = await start('doc-review', {});
    const { status } = await decide(run, false, await gateOf(run, 'security'));
    expect([status, said]).toEqual(['completed', ['Rejected by ann at gate security']]);
    expect((await engine.gates.list()).open).toBe(0);
  });

  it('ends when nobody decides', async () => {
    const run = await start('doc-review', {});
    await clock.advance(2 * DAY_MS + 1);
    expect((await over(run)).status).toBe('completed');
    expect(said).toHaveLength(1);
  });
});

describe('a parent of orders', () => {
  it('counts what its children bought, and those that failed leave nothing behind', async () => {
    const orders = [
      { sku: 'tea', card: 'good' },
      { sku: 'mugs', card: 'declined' },
      { sku: 'broken', card: 'good' },
    ];
    const { status, result, runId } = await start('parent', { orders });
    expect(status).toBe('completed');
    expect(result?.state).toMatchObject({
      bought: [{ sku: 'tea', tracking: 'parcel of tea' }, null, null],
      failed: [
        { index: 1, itemKey: 'mugs', unitId: 'buy', code: 'child' },
        { index: 2, itemKey: 'broken', unitId: 'buy', code: 'child' },
      ],
    });
    expect([...held.keys()]).toEqual(['stock of tea', 'money for tea']);
    const { items } = await engine.runs.list({ parent: runId });
    expect(items.map((child) => child.status).toSorted()).toEqual(['completed', 'failed', 'failed']);
  });
});
