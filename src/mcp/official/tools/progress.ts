import type { ProgressToken, ServerContext } from '@modelcontextprotocol/server';
import type { RunStep } from '../../../engine/index.js';

/** So many steps are notified individually; after that, at most one per interval. */
const TOLD_AT_ONCE = 100;
const THEN_EVERY_MS = 100;

/** Notifies a client of the run that its call is about, and of its steps until `steps` end. */
export async function notifyProgress(
  { runId, steps }: { readonly runId: string; readonly steps: AsyncIterable<RunStep> },
  progressToken: ProgressToken,
  { mcpReq }: ServerContext,
): Promise<void> {
  let progress = 0;
  let notifiedAt = 0;
  const notify = async (message: string): Promise<void> => {
    progress += 1;
    const now = Date.now();
    if (progress > TOLD_AT_ONCE && now - notifiedAt < THEN_EVERY_MS) return;
    notifiedAt = now;
    // A client that has disconnected gets no more notifications; its run continues.
    await mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken, progress, message } })
      .catch(() => undefined);
  };
  // A client that times out while a person decides can find the run by this.
  await notify(`run ${runId}`);
  for await (const step of steps) {
    const message = messageOf(step);
    if (message !== null) await notify(message);
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
    case 'paused':
    case 'resumed':
    case 'rewound':
      return null;
  }
}
