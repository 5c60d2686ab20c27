import type { CoreMessage } from '../fold/core-events.js';
import type { WaitMessage } from '../waits/kinds.js';
import type { Message } from '../waits/wait-kind.js';
import type { RunEvent } from './event.js';
import { eventKind } from './event-kinds.js';
import { snapshotId } from './snapshot-id.js';

/** One line of a run's readable history (wire contract, "The run's messages and figures"). */
export type RunMessage = CoreMessage | WaitMessage | Checkpoint;

type Checkpoint = Message & {
  readonly type: 'checkpoint';
  readonly runId: string;
  readonly snapshotId: string;
};

/** What one event says to a reader; most say one thing, some nothing. */
export function messagesOf(runId: string, event: RunEvent): readonly RunMessage[] {
  const kind = eventKind(event.type);
  const messages = kind.messages(event, runId) as readonly RunMessage[];
  if (!kind.isCheckpoint) return messages;
  return [
    ...messages,
    { type: 'checkpoint', timestamp: event.at, runId, snapshotId: snapshotId(runId, event.seq) },
  ];
}
