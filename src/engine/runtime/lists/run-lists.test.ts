import { InMemoryRunStore } from '../../in-memory/in-memory-run-store.js';
import type { RunEvent } from '../../core/log/event.js';
import type { AppendRequest } from '../../ports/store/append.js';
import type { RunRow } from '../../ports/store/run-row.js';
import type { RunItem } from '../../run-lists.js';
import { ManualClock } from '../../testing/manual-clock.js';
import {
  NOON,
  sampleAppend,
  sampleRow,
  sampleRunId,
} from '../../testing/contract/run-store/support/sample-run.js';
import { GateLists } from './gate-lists.js';
import { RunLists } from './run-lists.js';

const RUN = sampleRunId(1);

let store: InMemoryRunStore;
let lists: RunLists;

beforeEach(async () => {
  store = new InMemoryRunStore();
  await store.open();
  lists = new RunLists({ store, clock: new ManualClock(NOON + 100) });
});

const put = async (changes: Partial<RunRow>, others: Partial<AppendRequest> = {}, runId = RUN) =>
  store.append(sampleAppend(runId, { row: sampleRow(runId, changes), ...others }));

async function itemOf(runId = RUN): Promise<RunItem> {
  const { items } = await lists.list({ idPrefix: runId });
  expect(items).toHaveLength(1);
  return items[0]!;
}

const failure = (error: string): RunEvent => ({ v: 1, seq: 1, at: NOON, type: 'run-failed', error }) as never;

describe('what a run in a list waits for', () => {
  const GATE = { gateId: 1, unitId: 'sign', openedAt: NOON };

  it.each<[string, RunItem['waitingFor'], Partial<RunRow>]>([
    ['is a unit while one is called', 'unit', { openExecutions: 1, wakeAt: NOON + 5 }],
    ['is a unit before anything has happened', 'unit', { status: 'pending' }],
    ['is an instant at which it moves', 'time', { wakeAt: NOON + 5 }],
    ['is a run that it started, where nothing else moves it', 'child', {}],
    ['is somebody who resumes it', 'resume', { status: 'paused' }],
    ['is nothing once it is over', null, { status: 'completed', endedAt: NOON }],
  ])('%s', async (_what, waitingFor, changes) => {
    await put(changes);
    expect((await itemOf()).waitingFor).toBe(waitingFor);
  });

  it('is a decision before all else', async () => {
    await put({ status: 'paused' }, { openGates: [GATE] });
    expect((await itemOf()).waitingFor).toBe('gate');
  });

  it('is its child, of a run that is paused because that one is', async () => {
    await put({ status: 'paused' });
    await put({ parentRunId: RUN, origin: 'child' }, {}, sampleRunId(2));
    expect((await itemOf()).waitingFor).toBe('child');
  });
});

describe('a run in a list', () => {
  it('lasts until now while it is under way, and no longer once it is paused', async () => {
    const figures = { tokens: 3, cost: 0.5, activeMs: 20, activeSince: NOON + 90 };
    await put({ figures });
    expect(await itemOf()).toMatchObject({ duration: 30, tokenUsage: 3, cost: 0.5 });
    const row = sampleRow(RUN, { status: 'paused', figures: { ...figures, activeSince: null } });
    await store.append(sampleAppend(RUN, { expectedSeq: 2, row }));
    expect(await itemOf()).toMatchObject({ duration: 20 });
  });

  it('says nothing of what was not kept', async () => {
    await put({ figures: null });
    expect(await itemOf()).toMatchObject({ duration: null, tokenUsage: null, cost: null });
  });

  it('shows why it failed, truncated where that is long', async () => {
    const failed = { status: 'failed', endedAt: NOON } as const;
    await put(failed, { events: [failure('x'.repeat(1_000))] });
    expect((await itemOf()).error).toBe('x'.repeat(1_000));
    const other = sampleRunId(2);
    await put(failed, { events: [failure('x'.repeat(1_001))] }, other);
    expect((await itemOf(other)).error).toBe(`${'x'.repeat(999)}…`);
  });
});

describe('what a list is asked for', () => {
  it.each<[string, Parameters<RunLists['list']>[0], string]>([
    ['no whole number of runs', { limit: 1.5 }, 'limit must be a whole number from 1 to 200'],
    ['no status at all', { status: [] }, 'status must be one or more of'],
    ['four labels', { labels: { a: '', b: '', c: '', d: '' } }, 'At most 3 labels'],
    ['a value that is no text', { labels: { a: 1 as unknown as string } }, 'A label is'],
    ['no instant', { createdAfter: Number.NaN }, 'createdAfter must be an instant'],
    ['an origin that there is not', { origin: 'me' as 'client' }, 'origin must be one of'],
    ['a foreign cursor', { cursor: 'x' }, 'cursor is not of this list'],
  ])('is refused where it is %s', async (_what, request, message) => {
    await expect(lists.list(request)).rejects.toThrow(message);
    await expect(lists.list(request)).rejects.toMatchObject({ code: 'invalid-request' });
  });

  it('has the same cursors however it is put', async () => {
    for (const index of [1, 2]) {
      await put({ status: 'paused' }, { labels: { a: 'x', b: 'y' } }, sampleRunId(index));
    }
    const first = await lists.list({ limit: 1, status: ['paused', 'running'], labels: { a: 'x', b: 'y' } });
    expect(first.next).not.toBeNull();
    const cursor = first.next ?? '';
    const second = await lists.list({ status: ['running', 'paused'], labels: { b: 'y', a: 'x' }, cursor });
    expect(second.items.map(({ runId }) => runId)).toEqual([sampleRunId(1)]);
    await expect(lists.list({ status: ['paused'], cursor })).rejects.toThrow('cursor is not of this list');
    await expect(lists.list({ namespace: 'acme', cursor })).rejects.toThrow('cursor is not of this list');
  });
});

describe('a gate of a run that was purged while the list was read', () => {
  it('is left out', async () => {
    const gates = new GateLists(store);
    const common = { workflowId: 'w', definitionHash: 'h', unitId: 'sign', openedAt: NOON };
    const gate = { ...common, runId: RUN, gateId: 1, decidedAt: null, decidedSeq: null };
    await expect(gates.item(gate)).resolves.toBeNull();
  });
});
