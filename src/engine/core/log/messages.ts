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

/** The messages of one event for a reader; most events have one, some none. */
export function messagesOf(runId: string, event: RunEvent): readonly RunMessage[] {
  const messages: RunMessage[] = [];
  addNewestFirst(messages, runId, event);
  return messages.toReversed();
}

/** Adds the messages of one event, the last first: for reading a log from its end. */
export function addNewestFirst(messages: RunMessage[], runId: string, event: RunEvent): void {
  const kind = eventKind(event.type);
  if (kind.isCheckpoint) {
    const { at: timestamp, seq } = event;
    messages.push({ type: 'checkpoint', timestamp, runId, snapshotId: snapshotId(runId, seq) });
  }
  const kindMessages = kind.messages(event, runId) as readonly RunMessage[];
  const { item } = event;
  for (let i = kindMessages.length - 1; i >= 0; i--) {
    const message = kindMessages[i] as RunMessage;
    messages.push(item === undefined ? message : { ...message, index: item.index, itemKey: item.key });
  }
}
