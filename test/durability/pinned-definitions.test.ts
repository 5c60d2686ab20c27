import { DurableEngines, type DurableEngine } from '../support/durability-engine.js';
import { startUnitServer, type UnitServer } from '../support/unit-server.js';
import { bound, document, gate, remote } from '../support/workflow-documents.js';

const engines = new DurableEngines();
let old: UnitServer;
let current: UnitServer;

beforeEach(async () => {
  old = await startUnitServer({ body: 'old' });
  current = await startUnitServer({ body: 'current' });
});

afterEach(async () => {
  await engines.clear();
  await Promise.all([old.close(), current.close()]);
});

const v1 = document('w', [gate('agree'), remote('pay-v1'), remote('pay')]);
const v2 = document('w', [gate('agree'), remote('pay-v2'), remote('pay')]);

const bindingsTo = ({ url }: UnitServer, token: string) =>
  Object.assign(
    {},
    ...['pay', 'pay-v1', 'pay-v2'].map((id) =>
      bound(id, `${url}/${id}`, { headers: { authorization: token } }),
    ),
  ) as Record<string, unknown>;

/** A run that waits at the gate of the first version. */
async function pausedUnderV1(folder: string): Promise<DurableEngine & { readonly runId: string }> {
  const opened = await engines.open(folder);
  await opened.engine.workflows.register({ yaml: v1, bindings: bindingsTo(old, 'first token') });
  const { runId } = await opened.engine.runs.start({ workflowId: 'w', sync: true });
  return { ...opened, runId };
}

const approve = ({ engine }: Pick<DurableEngine, 'engine'>, runId: string) =>
  engine.gates.respond({ workflowId: 'w', runId, approved: true, responder: 'ann' });

const pathsAt = ({ requests }: UnitServer) => requests.map(({ url }) => url);
const tokensAt = ({ requests }: UnitServer) => requests.map(({ headers }) => headers.authorization);

describe('a run that was paused under an older version of its workflow', () => {
  it('continues by the plan that it began with, at the current endpoints and with the current headers', async () => {
    const opened = await pausedUnderV1(engines.folder());
    await opened.engine.workflows.register({ yaml: v2, bindings: bindingsTo(current, 'rotated token') });
    expect(await approve(opened, opened.runId)).toMatchObject({ status: 'completed' });
    expect(pathsAt(current)).toEqual(['/pay-v1', '/pay']);
    expect(tokensAt(current)).toEqual(['rotated token', 'rotated token']);
    expect(pathsAt(old)).toEqual([]);
  });

  it('leaves later runs to the newer version', async () => {
    const opened = await pausedUnderV1(engines.folder());
    await opened.engine.workflows.register({ yaml: v2, bindings: bindingsTo(current, 'rotated token') });
    const { runId } = await opened.engine.runs.start({ workflowId: 'w', sync: true });
    await approve(opened, runId);
    await approve(opened, opened.runId);
    expect(pathsAt(current)).toEqual(['/pay-v2', '/pay', '/pay-v1', '/pay']);
  });

  it('falls back on its own binding for a unit that the newer version does not bind', async () => {
    const opened = await pausedUnderV1(engines.folder());
    const { 'acme.pay-v1': _left, ...bindings } = bindingsTo(current, 'rotated token');
    await opened.engine.workflows.register({ yaml: v2, bindings });
    await approve(opened, opened.runId);
    expect([pathsAt(old), pathsAt(current)]).toEqual([['/pay-v1'], ['/pay']]);
  });

  it('continues after a restart without any registration, at the endpoints that are stored', async () => {
    const folder = engines.folder();
    const { runId } = await pausedUnderV1(folder);
    const second = await engines.open(engines.afterPowerCut(folder));
    expect(await second.engine.workflows.list()).toEqual([]);
    expect(await approve(second, runId)).toMatchObject({ status: 'completed' });
    expect(pathsAt(old)).toEqual(['/pay-v1', '/pay']);
    expect(tokensAt(old)).toEqual(['first token', 'first token']);
  });

  it('is given the newest stored binding of its own version after a restart', async () => {
    const folder = engines.folder();
    const { engine, runId } = await pausedUnderV1(folder);
    await engine.workflows.register({ yaml: v1, bindings: bindingsTo(current, 'rotated token') });
    const second = await engines.open(engines.afterPowerCut(folder));
    await approve(second, runId);
    expect(tokensAt(current)).toEqual(['rotated token', 'rotated token']);
  });

  it('takes its endpoints from a version that is registered after the restart', async () => {
    const folder = engines.folder();
    const { runId } = await pausedUnderV1(folder);
    const second = await engines.open(engines.afterPowerCut(folder));
    await second.engine.workflows.register({ yaml: v2, bindings: bindingsTo(current, 'rotated token') });
    await approve(second, runId);
    expect([pathsAt(old), pathsAt(current)]).toEqual([[], ['/pay-v1', '/pay']]);
  });

  it('can go back to a checkpoint of its own plan', async () => {
    const opened = await pausedUnderV1(engines.folder());
    await opened.engine.workflows.register({ yaml: v2, bindings: bindingsTo(current, 'rotated token') });
    const address = { workflowId: 'w', runId: opened.runId };
    await approve(opened, opened.runId);
    const snapshots = await opened.engine.runs.snapshots(address);
    const paid = snapshots.find(({ unitId }) => unitId === 'pay-v1')!;
    expect(await opened.engine.runs.resume({ ...address, snapshotId: paid.snapshotId })).toMatchObject({
      status: 'completed',
    });
    expect(pathsAt(current)).toEqual(['/pay-v1', '/pay', '/pay']);
  });
});
