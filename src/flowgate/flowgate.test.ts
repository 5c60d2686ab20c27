import { firstValueFrom, lastValueFrom, take, toArray } from 'rxjs';
import { InProcessRunWatch } from '../engine/drivers/local/in-process-run-watch.js';
import { createEngine, type Principal } from '../engine/index.js';
import { ManualClock } from '../engine/testing/manual-clock.js';
import { inSequence } from '../../test/support/engine.js';
import { Flowgate } from './flowgate.js';
import type { RunUpdate } from './run-requests.js';

const GATE = { id: 'agree', uses: 'builtin.approval' };
const WORK = { id: 'work', uses: 'work' };

interface Order {
  readonly amount: number;
}
interface Done {
  readonly amount: number;
  readonly 'output.work': { readonly paid: boolean };
}

async function opened() {
  const clock = new ManualClock();
  const watch = new InProcessRunWatch();
  const engine = createEngine({ clock, watch, sameInstantMs: 0, shutdownGraceMs: 0 });
  await engine.open();
  engine.registerUnit<Order>('work', ({ input }) => ({ paid: input.amount > 1 }));
  engine.registerUnit('slow', () => new Promise(() => undefined));
  for (const [id, units] of Object.entries({
    orders: [GATE, WORK],
    quick: [WORK],
    slow: [WORK, { id: 'slow', uses: 'slow' }],
  })) {
    await engine.workflows.register({ yaml: inSequence(id, units) });
  }
  return { engine, clock, watch, flowgate: new Flowgate(engine) };
}

describe('Flowgate, as a host injects it', () => {
  it('starts runs, reads them, decides and resumes', async () => {
    const { engine, flowgate } = await opened();
    const { runId, status } = await flowgate.start('orders', { amount: 2 }, { sync: true });
    expect(status).toBe('paused');
    expect(await flowgate.get('orders', runId)).toMatchObject({ status: 'paused' });
    expect(await flowgate.resume('orders', runId)).toMatchObject({ status: 'paused' });
    const done = await flowgate.respond('orders', runId, { approved: true, responder: 'ann' });
    expect(done).toMatchObject({ status: 'completed', result: { state: { 'hitl.responder': 'ann' } } });
    await engine.close();
  });

  it('lists workflows', async () => {
    const { engine, flowgate } = await opened();
    expect((await flowgate.list()).map(({ workflowId }) => workflowId)).toEqual(['orders', 'quick', 'slow']);
    await engine.close();
  });

  it('starts once for one key', async () => {
    const { engine, flowgate } = await opened();
    const start = () => flowgate.start('quick', { amount: 1 }, { sync: true, idempotencyKey: 'k' });
    expect((await start()).runId).toBe((await start()).runId);
    await engine.close();
  });

  it('starts a batch, and gives what became of each run in their order', async () => {
    const { engine, flowgate } = await opened();
    const alone = await flowgate.start('quick', { amount: 2 }, { idempotencyKey: 'k' });
    const runs = [{ labels: { 'not a label': '' } }, { input: { amount: 2 }, idempotencyKey: 'k' }];
    expect(await flowgate.startBatch('quick', runs)).toMatchObject([
      { ok: false, error: { code: 'invalid-request' } },
      { ok: true, run: { runId: alone.runId, status: 'running' } },
    ]);
    const left = AbortSignal.abort(new Error('left'));
    expect(await flowgate.startBatch('quick', [{}], { signal: left })).toEqual([
      { ok: false, error: new Error('left') },
    ]);
    await engine.close();
  });

  it('throws what the engine throws', async () => {
    const { engine, flowgate } = await opened();
    await expect(flowgate.start('nobody')).rejects.toMatchObject({ code: 'unknown-workflow' });
    await expect(flowgate.startBatch('nobody', [{}])).rejects.toMatchObject({ code: 'unknown-workflow' });
    await expect(flowgate.get('orders', 'x')).rejects.toMatchObject({ code: 'unknown-run' });
    await expect(lastValueFrom(flowgate.observe('orders', 'x'))).rejects.toMatchObject({
      code: 'unknown-run',
    });
    await engine.close();
  });
});

describe('Flowgate, stopping runs', () => {
  it('pauses, and continues under another budget; cancels, in the name of the caller', async () => {
    const { engine, flowgate } = await opened();
    const { runId } = await flowgate.start('orders', { amount: 2 }, { sync: true });
    expect(await flowgate.pause('orders', runId, { by: 'ann' })).toMatchObject({ status: 'paused' });
    expect(await flowgate.resume('orders', runId, { budget: { maxTokens: 10 } })).toMatchObject({
      status: 'paused',
    });
    const over = await flowgate.cancel('orders', runId, { by: 'ann', idempotencyKey: 'k' });
    expect(over).toMatchObject({ status: 'failed', error: 'Cancelled by ann' });
    expect(await flowgate.cancel('orders', runId)).toEqual(over);
    await engine.close();
  });

  it('says who, where nobody is named, and of an unknown run that it is none', async () => {
    const { engine, flowgate } = await opened();
    const orders = flowgate.workflow<Order, Done>('orders');
    const [{ runId }, other] = [await orders.run({ amount: 2 }), await orders.run({ amount: 3 })];
    expect((await orders.cancel(runId)).error).toBe('Cancelled by user');
    expect((await orders.pause(other.runId, { idempotencyKey: 'k' })).status).toBe('paused');
    await expect(flowgate.cancel('orders', 'x')).rejects.toMatchObject({ code: 'unknown-run' });
    await expect(flowgate.pause('quick', runId)).rejects.toMatchObject({ code: 'unknown-run' });
    await engine.close();
  });
});

describe('Flowgate, finding runs and trying them again', () => {
  it('finds runs by what is known of them, and the gates that wait', async () => {
    const { engine, flowgate } = await opened();
    const { runId } = await flowgate.start(
      'orders',
      { amount: 2 },
      { sync: true, labels: { shop: 'north' } },
    );
    await flowgate.start('quick', { amount: 2 }, { sync: true });
    const { items, next } = await flowgate.listRuns({ labels: { shop: 'north' }, status: ['paused'] });
    expect([items.map((item) => item.runId), next]).toEqual([[runId], null]);
    expect(await flowgate.listGates()).toMatchObject({ open: 1, items: [{ runId, unitId: 'agree' }] });
    expect((await flowgate.workflow('quick').listRuns()).items).toHaveLength(1);
    await engine.close();
  });

  it('forks a run with other input, and leaves it as it is', async () => {
    const { engine, flowgate } = await opened();
    const quick = flowgate.workflow<Order, Done>('quick');
    const source = await quick.run({ amount: 1 });
    const fork = await quick.fork(source.runId, { input: { amount: 2 }, sync: true });
    const paid = [source, fork].map(({ result }) => result?.state['output.work'].paid);
    expect([fork.runId === source.runId, paid]).toEqual([false, [false, true]]);
    expect(await quick.get(source.runId)).toEqual(source);
    await expect(flowgate.fork('quick', 'x')).rejects.toMatchObject({ code: 'unknown-run' });
    await engine.close();
  });

  it('reports what a run did, page by page, and what it does, past its gate to its end', async () => {
    const { engine, flowgate } = await opened();
    const orders = flowgate.workflow<Order, Done>('orders');
    const { runId } = await orders.run({ amount: 2 });
    expect((await flowgate.events('orders', runId, { limit: 2 })).items).toHaveLength(2);
    const types: string[] = [];
    for await (const { type } of orders.stream(runId)) {
      types.push(type);
      if (type === 'gate.opened') await orders.respond(runId, { approved: true });
    }
    expect(types).toEqual(expect.arrayContaining(['run.started', 'gate.decided', 'run.completed']));
    expect(types.at(-1)).toBe('run.completed');
    await engine.close();
  });
});

describe('a handle of one workflow', () => {
  it('knows the types of its input and its state', async () => {
    const { engine, flowgate } = await opened();
    const quick = flowgate.workflow<Order, Done>('quick');
    const record = await quick.run({ amount: 2 });
    const paid: boolean | undefined = record.result?.state['output.work'].paid;
    expect([quick.workflowId, paid, (await quick.get(record.runId)).result?.state.amount]).toEqual([
      'quick',
      true,
      2,
    ]);
    const [first] = await quick.startBatch([{ input: { amount: 3 } }]);
    const amount: number | undefined = first?.ok === true ? first.run.result?.state.amount : undefined;
    expect([first?.ok, amount]).toEqual([true, undefined]);
    // @ts-expect-error: the compiler refuses another input.
    void quick.start({ amount: 'two' }).catch(() => undefined);
    // @ts-expect-error: of a batch, too.
    void quick.startBatch([{ input: { amount: 'two' } }]).catch(() => undefined);
    await engine.close();
  });

  it('decides, resumes and observes', async () => {
    const { engine, flowgate } = await opened();
    const orders = flowgate.workflow<Order, Done>('orders');
    const { runId } = await orders.run({ amount: 2 });
    expect((await orders.resume(runId)).status).toBe('paused');
    expect((await orders.respond(runId, { approved: true })).result?.state['output.work'].paid).toBe(true);
    expect(await lastValueFrom(orders.observe(runId))).toMatchObject({ type: 'stopped' });
    await engine.close();
  });
});

describe('who observes a run', () => {
  it('sees its steps and its record, each subscriber by itself, and again from the start after a pause', async () => {
    const { engine, flowgate } = await opened();
    const { runId } = await flowgate.start('orders', { amount: 2 }, { sync: true });
    const kinds = (updates: readonly RunUpdate[]) =>
      updates.map((update) => (update.type === 'step' ? update.step.type : update.record.status));
    const seen = () => lastValueFrom(flowgate.observe('orders', runId).pipe(toArray())).then(kinds);
    expect(await Promise.all([seen(), seen()])).toEqual([
      ['gate-opened', 'paused'],
      ['gate-opened', 'paused'],
    ]);
    await flowgate.respond('orders', runId, { approved: true });
    expect(await seen()).toEqual([
      'gate-opened',
      'gate-decided',
      'unit-started',
      'unit-finished',
      'completed',
    ]);
    await engine.close();
  });

  it('leaves neither a timer nor a waiter when they leave', async () => {
    const { engine, flowgate, clock, watch } = await opened();
    const { runId } = await flowgate.start('slow', { amount: 2 });
    await clock.advance(0);
    const before = clock.scheduled;
    const first = await firstValueFrom(flowgate.observe('slow', runId).pipe(take(1)));
    expect(first).toMatchObject({ type: 'step', step: { type: 'unit-started', unitId: 'work' } });
    const subscription = flowgate.observe('slow', runId).subscribe();
    await clock.advance(0);
    expect(watch.waiting).toBe(1);
    subscription.unsubscribe();
    await clock.advance(0);
    expect([watch.waiting, clock.scheduled]).toEqual([0, before]);
    await engine.close();
  });

  it('completes when the engine closes', async () => {
    const { engine, flowgate, clock } = await opened();
    const { runId } = await flowgate.start('slow', { amount: 2 });
    const updates = lastValueFrom(flowgate.observe('slow', runId).pipe(toArray()));
    await clock.advance(0);
    await engine.close();
    expect((await updates).map(({ type }) => type)).toEqual(['step', 'step', 'step']);
  });
});

describe('Flowgate, as a principal', () => {
  const principal = (namespace: string, ...roles: readonly string[]): Principal => ({
    id: 'key-7',
    owner: 'ann',
    groups: [],
    grants: [{ namespace, roles }],
    auth: 'host',
    expiresAt: null,
  });

  it('does what they may, in their name, whatever a call says', async () => {
    const { engine, flowgate } = await opened();
    const operator = flowgate.as(principal('default', 'operator', 'approver'));
    const { runId } = await operator.start('orders', { amount: 2 }, { sync: true });
    const done = await operator.respond('orders', runId, { approved: true, responder: 'eve' });
    expect(done).toMatchObject({ status: 'completed', result: { state: { 'hitl.responder': 'ann' } } });
    const orders = operator.workflow<Order, Done>('orders');
    const paused = await orders.run({ amount: 3 });
    expect(await orders.cancel(paused.runId, { by: 'eve' })).toMatchObject({ error: 'Cancelled by key-7' });
    expect((await lastValueFrom(operator.observe('orders', runId))).type).toBe('stopped');
    await engine.close();
  });

  it('refuses what they may not, and hides what is not theirs', async () => {
    const { engine, flowgate } = await opened();
    const { runId } = await flowgate.start('quick', { amount: 1 }, { sync: true });
    const viewer = flowgate.as(principal('default', 'viewer'));
    expect(await viewer.get('quick', runId)).toMatchObject({ status: 'completed' });
    await expect(viewer.start('quick')).rejects.toMatchObject({
      code: 'forbidden',
      details: [{ permission: 'run:start' }],
    });
    const elsewhere = flowgate.as(principal('billing', 'admin'));
    expect([await elsewhere.list(), (await elsewhere.listRuns()).items]).toEqual([[], []]);
    await expect(elsewhere.get('quick', runId)).rejects.toMatchObject({ code: 'unknown-run' });
    const named = flowgate.as(principal('*', 'admin'), { namespace: 'billing' });
    expect((await named.listRuns()).items).toEqual([]);
    await expect(
      flowgate.as(principal('billing', 'admin'), { namespace: 'default' }).listRuns(),
    ).rejects.toMatchObject({ code: 'forbidden' });
    await engine.close();
  });

  it('leaves what is called without one to the host', async () => {
    const { engine, flowgate } = await opened();
    flowgate.as(principal('billing', 'viewer'));
    const { runId } = await flowgate.start('orders', { amount: 2 }, { sync: true });
    expect(await flowgate.respond('orders', runId, { approved: true })).toMatchObject({
      result: { state: { 'hitl.responder': 'user' } },
    });
    await engine.close();
  });
});
