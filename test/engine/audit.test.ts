import { createEngine, type ActingEngine, type AuditItem, type Engine } from '../../src/engine/index.js';
import type { ManualClock } from '../../src/engine/testing/manual-clock.js';
import { exportOf } from '../support/exports.js';
import { inSequence, openEngine } from '../support/engine.js';
import { POLICY, principalOf } from './access/support/acting-world.js';

const GATED = inSequence('gated', [
  { id: 'say', uses: 'say' },
  { id: 'agree', uses: 'builtin.approval' },
]);
const PARENT = inSequence('parent', [
  { id: 'sub', uses: 'builtin.workflow', config: { workflowId: 'gated' } },
]);

let engine: Engine;
let clock: ManualClock;
let ann: ActingEngine;
let auditor: ActingEngine;
beforeEach(async () => {
  ({ engine, clock } = await openEngine({ say: () => 'pelican' }, { policy: POLICY, audit: true }));
  const grant = { namespace: 'acme', roles: ['no audit:read'] };
  ann = engine.as(principalOf('ann', grant), { namespace: 'acme', via: 'mcp' });
  const reading = { namespace: 'acme', roles: ['audit:read'] };
  auditor = engine.as(principalOf('aud', reading), { namespace: 'acme', via: 'http' });
  await ann.workflows.register({ yaml: GATED });
});
afterEach(() => engine.close());

/** Oldest first, once the follower has told of it. */
async function told(as: ActingEngine = auditor): Promise<readonly AuditItem[]> {
  for (let looks = 0; looks < 40; looks += 1) {
    await clock.advance(50);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return (await as.audit.list({ limit: 200 })).items.toReversed();
}
const said = (items: readonly AuditItem[]) =>
  items.map(({ by, action }) => `${by?.owner ?? by?.id} ${action}`);

describe('what somebody does to runs', () => {
  it('is told once each, with who did it and how they came', async () => {
    const { runId } = await ann.runs.start({ workflowId: 'gated', sync: true });
    const address = { workflowId: 'gated', runId };
    await ann.runs.pause(address);
    await ann.runs.resume({ ...address, waitMs: 0 });
    await ann.gates.respond({ ...address, approved: true, responder: 'the CFO', comment: 'secret comment' });
    const fork = await ann.runs.fork({ ...address, sync: true });
    await ann.runs.cancel({ workflowId: 'gated', runId: fork.runId });
    const items = await told();
    expect(said(items)).toEqual([
      'ann workflow.register',
      'ann run.start',
      'ann run.pause',
      'ann run.resume',
      'ann gate.decide',
      'ann run.fork',
      'ann run.cancel',
    ]);
    expect(items[4]).toMatchObject({
      namespace: 'acme',
      ...address,
      by: { id: 'key-of-ann', owner: 'ann', via: 'mcp', auth: 'key' },
      facts: { unitId: 'agree', approved: true },
    });
    expect(JSON.stringify(items)).not.toMatch(/secret comment|pelican|CFO/);
    // Nothing more comes of looking again.
    expect(await told()).toEqual(items);
  });

  it('is told of a parent, and not of the children that it starts', async () => {
    await ann.workflows.register({ yaml: PARENT });
    await ann.runs.start({ workflowId: 'parent', sync: true });
    const items = await told();
    expect(items.filter(({ action }) => action === 'run.start').map(({ workflowId }) => workflowId)).toEqual([
      'parent',
    ]);
  });

  it('is told with the name that was claimed where the host acts itself', async () => {
    await engine.runs.start({ namespace: 'acme', workflowId: 'gated', sync: true });
    const items = await told();
    expect(items.at(-1)).toMatchObject({
      action: 'run.start',
      by: { owner: null, id: 'user', via: 'in-process', auth: 'none' },
    });
    expect((await auditor.audit.list({ owner: 'user' })).items).toEqual([]);
  });

  it('is told of an import, and of nothing that the imported log says', async () => {
    const other = createEngine({ clock });
    await other.open();
    other.registerUnit('say', () => 'pelican');
    await other.workflows.register({ namespace: 'acme', yaml: GATED });
    const { runId } = await other.runs.start({ namespace: 'acme', workflowId: 'gated', sync: true });
    const ndjson = Buffer.from(await exportOf(other, { namespace: 'acme', workflowId: 'gated', runId }));
    await other.close();
    await ann.runs.import({ ndjson });
    expect(said(await told())).toEqual(['ann workflow.register', 'ann run.import']);
  });

  it('is told of an export before any of it is given, and of none that was refused', async () => {
    const { runId } = await ann.runs.start({ workflowId: 'gated', sync: true });
    const none = { workflowId: 'gated', runId: runId.replaceAll(/\d/g, '0') };
    await expect(first(ann.runs.export(none))).rejects.toMatchObject({ code: 'unknown-run' });
    await first(ann.runs.export({ workflowId: 'gated', runId }));
    const exported = (await told()).filter(({ action }) => action === 'run.export');
    expect(exported).toMatchObject([{ runId, by: { owner: 'ann' } }]);
  });
});

describe('who is told', () => {
  it('sees of the workflows that they may read alone, and nothing of none', async () => {
    const grant = { namespace: 'acme', roles: ['audit:read'], workflows: ['other*'] };
    const bounded = engine.as(principalOf('bob', grant), { namespace: 'acme', via: 'http' });
    await ann.workflows.register({ yaml: inSequence('other-1', [{ id: 'say', uses: 'say' }]) });
    await ann.runs.start({ workflowId: 'gated', sync: true });
    expect((await told(bounded)).map(({ workflowId }) => workflowId)).toEqual(['other-1']);
    expect((await bounded.audit.list({ limit: 1 })).items).toHaveLength(1);
  });

  it('cannot count from ids what goes on elsewhere, nor use one in another namespace', async () => {
    const elsewhere = { namespace: 'zen', roles: ['all'] };
    const zoe = engine.as(principalOf('zoe', elsewhere), { namespace: 'zen', via: 'http' });
    const [item] = await told();
    expect(await auditor.audit.knows(item!.id)).toBe(true);
    expect(await zoe.audit.knows(item!.id)).toBe(false);
    expect(await zoe.audit.list()).toEqual({ items: [], next: null });
  });

  it('is refused a cursor of another filter, and what no filter can be', async () => {
    await ann.runs.start({ workflowId: 'gated', sync: true });
    await told();
    const { next } = await auditor.audit.list({ limit: 1 });
    for (const request of [
      { cursor: next!, owner: 'ann' },
      { cursor: 'nonsense' },
      { action: 'anything' },
      { owner: '' },
      { limit: 201 },
    ])
      await expect(auditor.audit.list(request)).rejects.toMatchObject({ code: 'invalid-request' });
  });

  it('hears within a second of what is recorded', async () => {
    const ended = new AbortController();
    const stream = auditor.audit.stream({
      afterId: await auditor.audit.latest(),
      action: 'workflow.unregister',
      signal: ended.signal,
    });
    const next = stream.next();
    await ann.workflows.unregister('gated');
    await clock.advance(1_000);
    expect((await next).value).toMatchObject([{ action: 'workflow.unregister', workflowId: 'gated' }]);
    const last = stream.next();
    ended.abort();
    expect((await last).done).toBe(true);
  });
});

describe('an engine without an audit', () => {
  it('records nothing, and says that there is none', async () => {
    const { engine: plain } = await openEngine({}, { policy: POLICY });
    const acting = plain.as(principalOf('ann', { namespace: 'acme', roles: ['all'] }), { namespace: 'acme' });
    await expect(acting.audit.list()).rejects.toMatchObject({ code: 'not-found' });
    expect(plain.audit.isOn).toBe(false);
    await plain.close();
  });

  it('that is to have one does not begin on a store that keeps none', () => {
    const { store } = { store: {} };
    expect(() => createEngine({ audit: true, store: store as never })).toThrow(
      'audit: the store of this host keeps no audit: give it a member audit (AuditStore), use one of the stores of Flowgate, or set it to false',
    );
  });
});

async function first(lines: AsyncIterable<string>): Promise<string | undefined> {
  for await (const line of lines) return line;
  return undefined;
}
