/** What replicas notify one another of. None of it is needed for safety, and any of it may be lost. */
export type ReplicaMessage =
  /** To the owner: somebody else appended to the run. */
  | { readonly type: 'nudge'; readonly runId: string }
  /** To the owner: somebody at that replica waits for the run. */
  | { readonly type: 'watch'; readonly runId: string; readonly replica: string }
  /** To a replica that waits. `seq` infinite: whatever it is, look. */
  | { readonly type: 'appended'; readonly runs: readonly AppendedRun[] }
  /** To all: locks are free that were not. */
  | { readonly type: 'freed'; readonly replica: string }
  /** To all: keys or revocations changed. */
  | { readonly type: 'access' }
  /** To all: which access file holds at that replica, by its SHA-256 in hex; `none`: it has none. */
  | { readonly type: 'access-file'; readonly replica: string; readonly hash: string };

export interface AppendedRun {
  readonly runId: string;
  readonly seq: number;
}

/** A notification may have nearly 8,000 bytes: more runs than this are several. */
export const MAX_RUNS_IN_MESSAGE = 120;

const RUN_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const REPLICA = /^[0-9a-z]{1,32}$/;
const FILE_HASH = /^(none|[0-9a-f]{64})$/;
const SEQ = /^\d{1,15}$/;
const LOOK = '*';

/** Whether the store can hold a run of that id. */
export function isStoredRunId(text: string): boolean {
  return RUN_ID.test(text);
}

/** Whether it can be part of a channel's name and of a message. */
export function isReplicaName(text: string): boolean {
  return REPLICA.test(text);
}

export function textOfMessage(message: ReplicaMessage): string {
  switch (message.type) {
    case 'nudge':
      return `nudge ${message.runId}`;
    case 'watch':
      return `watch ${message.runId} ${message.replica}`;
    case 'appended':
      return `appended ${message.runs.map(({ runId, seq }) => `${runId}:${seq === Infinity ? LOOK : seq}`).join(' ')}`;
    case 'freed':
      return `freed ${message.replica}`;
    case 'access':
      return 'access';
    case 'access-file':
      return `access-file ${message.replica} ${message.hash}`;
  }
}

/** Whether the text is one of a nudge. */
export function isNudge(text: string): boolean {
  return text.startsWith('nudge ');
}

/** Null for a text that this build does not know: anybody may notify a channel. */
export function messageOfText(text: string): ReplicaMessage | null {
  const [type, ...words] = text.split(' ');
  const [first = '', second = ''] = words;
  switch (type) {
    case 'nudge':
      return isStoredRunId(first) ? { type, runId: first } : null;
    case 'watch':
      return isStoredRunId(first) && isReplicaName(second) ? { type, runId: first, replica: second } : null;
    case 'appended':
      return { type, runs: words.flatMap((word) => appendedRun(word) ?? []) };
    case 'freed':
      return isReplicaName(first) ? { type, replica: first } : null;
    case 'access':
      return { type };
    case 'access-file':
      return isReplicaName(first) && FILE_HASH.test(second) ? { type, replica: first, hash: second } : null;
    default:
      return null;
  }
}

function appendedRun(word: string): AppendedRun | null {
  const [runId = '', seq = ''] = word.split(':');
  if (!isStoredRunId(runId)) return null;
  if (seq === LOOK) return { runId, seq: Infinity };
  return SEQ.test(seq) ? { runId, seq: Number(seq) } : null;
}
