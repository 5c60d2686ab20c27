import { eventsUntilStop, type Engine, type PublicEvent, type RunRecord } from '../../engine/index.js';
import type { GateKeeper, OpenGate } from './gate-keeper.js';
import { asking } from '../tree/step-line.js';
import type { RunView } from './run-view.js';

export interface FollowedRun {
  readonly engine: Engine;
  readonly workflowId: string;
  readonly runId: string;
  /** The signal's reason is thrown. */
  readonly signal: AbortSignal;
}

/** Shows what a run does until it is over, or waits for a decision that is not made here. Returns its record. */
export async function followToItsStop(
  run: FollowedRun,
  view: RunView,
  keeper: GateKeeper,
): Promise<RunRecord> {
  const { engine, workflowId, runId, signal } = run;
  const gates = new Map<number, OpenGate>();
  try {
    for (let afterSeq = 0; ;) {
      for await (const shown of eventsUntilStop(engine.runs, { workflowId, runId, afterSeq, signal })) {
        afterSeq = shown.seq;
        const event = await whole(run, shown);
        noteGate(gates, event);
        await view.show(event);
      }
      signal.throwIfAborted();
      const record = await engine.runs.get({ workflowId, runId });
      // Somebody else may have had it continue.
      if (record.status === 'running') continue;
      if (record.status !== 'paused' || !(await decideOne(run, gates, { view, keeper }))) return record;
    }
  } finally {
    await view.settle();
  }
}

/** What is said of these is made of values that may be long. */
const HAS_LONG_LINE = new Set(['gate.opened', 'unit.failed', 'unit.retrying', 'run.paused']);

/** The event with the values that were left out for their size: what a gate asks is shown whole. */
async function whole({ engine, workflowId, runId }: FollowedRun, event: PublicEvent): Promise<PublicEvent> {
  if (event.cut === undefined || !HAS_LONG_LINE.has(event.type)) return event;
  return (await engine.runs.event({ workflowId, runId, seq: event.seq })) ?? event;
}

/** Whether one of the open gates was decided; the run continues then, or waits at the next one. */
async function decideOne(
  { engine, workflowId, runId, signal }: FollowedRun,
  gates: Map<number, OpenGate>,
  { view, keeper }: { readonly view: RunView; readonly keeper: GateKeeper },
): Promise<boolean> {
  const [gate] = gates.values();
  if (gate === undefined) return false;
  if (keeper.asks) await view.beforeQuestion(asking(gate.unitId, gate.gateId, gate.title));
  const approved = await keeper.decision(gate, signal);
  if (approved === null) return false;
  gates.delete(gate.gateId);
  const { responder } = keeper;
  await engine.gates.respond({ workflowId, runId, gateId: gate.gateId, approved, responder });
  return true;
}

function noteGate(gates: Map<number, OpenGate>, { type, data }: PublicEvent): void {
  if (type !== 'gate.opened' && type !== 'gate.decided') return;
  const gate = data as unknown as OpenGate;
  if (type === 'gate.opened') gates.set(gate.gateId, gate);
  else gates.delete(gate.gateId);
}
