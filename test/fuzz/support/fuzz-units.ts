import { startUnitServer, type UnitServer } from '../../support/unit-server.js';

/** What a unit says, in rotation; all of it is JSON that some part of the engine could take for something else. */
const ANSWERS: readonly unknown[] = [
  { content: 'done' },
  { content: null, metadata: { route: 'r0', delegations: [{ targetUnitId: 'u1', task: 'x' }] } },
  { content: 'r1', metadata: { delegations: [] } },
  { content: [1, 2], state: { l: [1, 2, 3], n: 4 }, tokenUsage: { totalTokens: 3 } },
  { content: 1, state: { 'output.u0': 1 } },
  { content: { $map: [['a', 1]] }, state: { constructor: 1, then: 2, toJSON: 3 } },
  { stopReason: 'error', content: 'no' },
  { content: 'x'.repeat(100_000), state: { t: 'y'.repeat(50_000) } },
  { content: 1, metadata: { delegations: 'nobody' }, tokenUsage: { totalTokens: -1 } },
  [],
  'text',
  null,
];
const STATUSES = [200, 200, 200, 200, 200, 200, 404, 503, 302];

/** Answers depend on the run, the unit and the attempt, so that a case does the same when it is played again. */
export function startFuzzUnits(): Promise<UnitServer> {
  const counts = new Map<string, number>();
  return startUnitServer(({ body }) => {
    const { context } = JSON.parse(body) as { context: { runId: string; unitId: string; attempt: number } };
    const place = `${context.runId} ${context.unitId}`;
    const turn = (counts.get(place) ?? 0) + 1;
    if (counts.size > 1_000) counts.clear();
    counts.set(place, turn);
    const at = turn + context.unitId.length + Number.parseInt(context.unitId.slice(1), 10) * 5;
    return { status: STATUSES[at % STATUSES.length] ?? 200, body: ANSWERS[at % ANSWERS.length] };
  });
}
