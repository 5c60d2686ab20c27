import type { Engine, RunRecord, RunStep } from '../../engine/index.js';
import type { GateKeeper, OpenGate } from './gate-keeper.js';
import { lineOf } from './step-line.js';
import type { Progress } from './progress.js';

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
  progress: Progress,
  keeper: GateKeeper,
): Promise<RunRecord> {
  const { engine, workflowId, runId, signal } = run;
  const gates = new Map<number, OpenGate>();
  try {
    for (let afterSeq = 0; ;) {
      for await (const step of engine.runs.follow({ workflowId, runId, afterSeq, signal })) {
        afterSeq = step.seq;
        noteGate(gates, step);
        await progress.show(step, lineOf(step));
      }
      signal.throwIfAborted();
      progress.hideLastLine();
      const record = await engine.runs.get({ workflowId, runId });
      if (record.status !== 'paused' || !(await decideOne(run, gates, keeper))) return record;
    }
  } finally {
    progress.hideLastLine();
  }
}

/** Whether one of the open gates was decided; the run continues then. */
async function decideOne(
  { engine, workflowId, runId, signal }: FollowedRun,
  gates: Map<number, OpenGate>,
  keeper: GateKeeper,
): Promise<boolean> {
  const [gate] = gates.values();
  if (gate === undefined) return false;
  const approved = await keeper.decision(gate, signal);
  if (approved === null) return false;
  gates.delete(gate.gateId);
  const { responder } = keeper;
  await engine.gates.respond({ workflowId, runId, gateId: gate.gateId, approved, responder });
  return true;
}

function noteGate(gates: Map<number, OpenGate>, step: RunStep): void {
  if (step.type === 'gate-opened') gates.set(step.gateId, step);
  if (step.type === 'gate-decided') gates.delete(step.gateId);
}
