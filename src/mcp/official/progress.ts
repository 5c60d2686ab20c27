import type { ProgressToken, ServerContext } from '@modelcontextprotocol/server';
import type { RunStep } from '../../engine/index.js';

/** So many are told one by one; of a run that takes more steps, no more than one in a while. */
const TOLD_AT_ONCE = 100;
const THEN_EVERY_MS = 100;

/** Tells a client which run its call is about, and what that does, step by step, until `steps` end. */
export async function tellProgress(
  { runId, steps }: { readonly runId: string; readonly steps: AsyncIterable<RunStep> },
  progressToken: ProgressToken,
  { mcpReq }: ServerContext,
): Promise<void> {
  let progress = 0;
  let toldAt = 0;
  const tell = async (message: string): Promise<void> => {
    progress += 1;
    const now = Date.now();
    if (progress > TOLD_AT_ONCE && now - toldAt < THEN_EVERY_MS) return;
    toldAt = now;
    // A client that has gone is told nothing more; what it asked for goes on.
    await mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken, progress, message } })
      .catch(() => undefined);
  };
  // Who loses the answer, because a person took too long for its client, finds the run by this.
  await tell(`run ${runId}`);
  for await (const step of steps) {
    const message = messageOf(step);
    if (message !== null) await tell(message);
  }
}

function messageOf(step: RunStep): string | null {
  switch (step.type) {
    case 'unit-started':
      return `${step.unitId} began`;
    case 'unit-finished':
      return `${step.unitId} finished`;
    case 'unit-retry':
      return `${step.unitId} failed and is tried again in ${step.delayMs} ms`;
    case 'unit-failed':
      return `${step.unitId} failed`;
    case 'unit-skipped':
      return `${step.unitId} was skipped`;
    case 'gate-opened':
      return `${step.unitId} waits for a person`;
    case 'gate-decided':
      return `${step.unitId} was ${step.approved ? 'approved' : 'rejected'}`;
    default:
      return null;
  }
}
