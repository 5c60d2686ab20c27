import type { RunEvent } from '../../../../clients/typescript/src/types/events.js';
import type { FlowNode, FlowPart } from '../flow/flow-node.js';
import { RunFold } from './fold-events.js';
import { flowFacts, hasLost, isUntaken, partStates } from './part-states.js';

const event = (seq: number, type: string, data: object, path = '/f', scope = ''): RunEvent => ({
  runId: 'r',
  workflowId: 'w',
  seq,
  at: seq * 1_000,
  type,
  path,
  scope,
  data: JSON.parse(JSON.stringify(data)),
});

function pictureOf(...events: readonly RunEvent[]) {
  const fold = new RunFold();
  fold.take(events);
  return fold.picture;
}

const unit = (path: string): FlowNode => ({ path, type: 'unit', unitId: 'u', parts: [], note: null });
const part = (about: Partial<FlowPart>): FlowPart => ({
  role: 'case',
  label: null,
  choice: null,
  isBranch: false,
  node: unit('/f/x'),
  ...about,
});
const flow = (type: FlowNode['type']): FlowNode => ({
  path: '/f',
  type,
  unitId: null,
  parts: [],
  note: null,
});

const factsOf = (one: RunEvent) => flowFacts(pictureOf(one)).get('/f') ?? [];

describe('how the parts of a document stand', () => {
  it('counts the passes of a foreach by their states, and shows what matters most', () => {
    const picture = pictureOf(
      event(1, 'unit-scheduled', { unitId: 'u' }, '/f/do', '>/f#0'),
      event(2, 'unit-scheduled', { unitId: 'u' }, '/f/do', '>/f#1'),
      event(3, 'unit-scheduled', { unitId: 'u' }, '/f/do', '>/f#2'),
      event(4, 'unit-finished', { unitId: 'u', executionId: 1, output: 1 }),
      event(5, 'unit-failed', { unitId: 'u', executionId: 2, error: 'no' }),
    );
    const summary = partStates(picture, 0).get('/f/do');
    expect(summary?.state).toBe('failed');
    expect(summary?.total).toBe(3);
    expect(Object.fromEntries(summary?.counts ?? [])).toEqual({ completed: 1, failed: 1, running: 1 });
  });

  it('lets the last pass of a loop count', () => {
    const picture = pictureOf(
      event(1, 'unit-scheduled', { unitId: 'u' }, '/f/do'),
      event(2, 'unit-failed', { unitId: 'u', executionId: 1, error: 'no' }),
      event(3, 'unit-scheduled', { unitId: 'u' }, '/f/do'),
    );
    expect(partStates(picture, 0).get('/f/do')).toMatchObject({ state: 'running', total: 1 });
  });

  it('takes a retry that is due as a call', () => {
    const picture = pictureOf(
      event(1, 'unit-scheduled', { unitId: 'u' }),
      event(2, 'unit-attempt-failed', {
        unitId: 'u',
        executionId: 1,
        attempt: 1,
        error: 'no',
        outcome: 'refused',
        retryAt: 9_000,
      }),
    );
    expect(partStates(picture, 8_999).get('/f')?.state).toBe('retrying');
    expect(partStates(picture, 9_000).get('/f')?.state).toBe('running');
  });

  it('knows which branches of a choice were not taken', () => {
    const facts = factsOf(event(1, 'branch-chosen', { branch: '1' }));
    expect(isUntaken(facts, flow('switch'), part({ choice: '0' }))).toBe(true);
    expect(isUntaken(facts, flow('switch'), part({ choice: '1' }))).toBe(false);
    expect(isUntaken([], flow('switch'), part({ choice: '0' }))).toBe(false);
  });

  it('knows which branches lost a race', () => {
    const facts = factsOf(event(1, 'node-closed', { writes: {}, winner: 1 }));
    expect([0, 1].map((index) => hasLost(facts, flow('race'), index))).toEqual([true, false]);
  });
});
