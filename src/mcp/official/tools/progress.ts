import type { ProgressToken, ServerContext } from '@modelcontextprotocol/server';
import type { PublicEvent, PublicEventType } from '../../../engine/index.js';

/** So many events are notified individually; after that, at most one per interval. */
const TOLD_AT_ONCE = 100;
const THEN_EVERY_MS = 100;

/** Notifies a client of the run that its call is about, and of its units and gates until `events` end. */
export async function notifyProgress(
  { runId, events }: { readonly runId: string; readonly events: AsyncIterable<PublicEvent> },
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
  for await (const event of events) {
    const message = messageOf(event);
    if (message !== null) await notify(message);
  }
}

function messageOf({ type, data, at }: PublicEvent): string | null {
  const itemKey = data['itemKey'];
  const unitId = `${String(data['unitId'])}${typeof itemKey === 'string' ? ` (${itemKey})` : ''}`;
  switch (type as PublicEventType) {
    case 'unit.scheduled':
      return `${unitId} began`;
    case 'unit.finished':
    case 'state.written':
      return `${unitId} finished`;
    case 'unit.retrying':
      return `${unitId} failed and is tried again in ${Number(data['retryAt']) - at} ms`;
    case 'unit.failed':
      return `${unitId} failed`;
    case 'unit.skipped':
      return `${unitId} was skipped`;
    case 'gate.opened':
      return `${unitId} waits for a person`;
    case 'gate.decided':
      return `${unitId} was ${data['approved'] === true ? 'approved' : 'rejected'}`;
    case 'gate.closed':
      return `${unitId} waits for a person no more (${String(data['why'])})`;
    case 'compensation.started':
      return `calls to undo: ${String(data['owed'])}`;
    case 'compensation.failed':
      return 'a call could not be undone';
    case 'compensation.finished':
      return `calls undone: ${String(data['done'])}`;
    case 'run.started':
    case 'run.forked':
    case 'run.paused':
    case 'run.resumed':
    case 'run.rewound':
    case 'run.completed':
    case 'run.failed':
    case 'run.cancelled':
      return null;
  }
}
