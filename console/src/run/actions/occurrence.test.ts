import type { RunEvent } from '../../../../clients/typescript/src/types/events.js';
import { CORE_EVENTS } from '../../../../src/engine/core/fold/core-events.js';
import { eventKind } from '../../../../src/engine/core/log/event-kinds.js';
import { WAIT_KINDS } from '../../../../src/engine/core/waits/registry.js';
import { wholeOf } from '../../../../src/engine/runtime/events/shown-event.js';
import { compileText, SimulatedRun } from '../../../../test/support/simulated-run.js';
import { document, gate } from '../../../../test/support/workflow-documents.js';
import { occurrenceOf, SCHEDULING } from './occurrence.js';

const ADDRESS = { workflowId: 'w', runId: 'r' };
const NOT_ASKED = {
  getEvents: () => Promise.reject(new Error('All of the log is known')),
};

describe('how often a run came to a unit', () => {
  it('is counted by the events by which the service counts it', () => {
    const types = [CORE_EVENTS, ...Object.values(WAIT_KINDS).map(({ events }) => events)].flatMap(
      Object.keys,
    );
    expect([...SCHEDULING].sort()).toEqual(
      types.filter((type) => eventKind(type as Parameters<typeof eventKind>[0]).facts.schedulesUnit).sort(),
    );
  });

  it('counts the call itself, and no other unit', async () => {
    const flow = { type: 'foreach', items: '[1, 2]', do: { type: 'sequential', order: ['work', 'ask'] } };
    const run = new SimulatedRun(
      compileText(document('w', [{ id: 'work', uses: 'work' }, gate('ask')], { flow })),
    );
    run.finish(() => 0);
    const events = run.log.flatMap((event) => (wholeOf(ADDRESS, event, 'log') as RunEvent | null) ?? []);
    const calls = events.filter(({ type }) => SCHEDULING.has(type));
    const counted = await Promise.all(
      calls.map(async ({ seq, data }) => {
        const unitId = String(data['unitId']);
        const known = { ...ADDRESS, events, firstSeq: null };
        const { signal } = new AbortController();
        return `${unitId} ${await occurrenceOf(NOT_ASKED, known, { unitId, id: seq }, signal)}`;
      }),
    );
    expect(counted.sort()).toEqual(['ask 1', 'ask 2', 'work 1', 'work 2']);
  });
});
