import type { JsonObject, JsonValue } from '../core/json.js';
import type { GateStatus, RunOrigin, RunStatus } from '../vocabulary.js';

/**
 * One event as it is stored. Only the event codec looks into it or makes one: a store needs no more than its `seq`, and must
 * not assume that this build knows its type.
 */
export interface StoredEvent {
  /** The version of the payload, per type. */
  readonly v: number;
  /** Counts from 1 within the run. */
  readonly seq: number;
  /** Epoch ms. */
  readonly at: number;
  readonly type: string;
}

/**
 * What lists, records and sweeps need of a run without folding its log; written with every append. `namespace`,
 * `workflowId`, `definitionHash` and `createdAt` are permanently those of the run's first append.
 */
export interface RunRow {
  readonly runId: string;
  /** `default` unless the host keeps its tenants apart. */
  readonly namespace: string;
  readonly workflowId: string;
  readonly definitionHash: string;
  readonly status: RunStatus;
  /** Epoch ms. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Epoch ms; null while the run has not ended. */
  readonly endedAt: number | null;
  /**
   * Executions that may be in flight, which a process that takes the run over must call. Not those that wait for a retry.
   */
  readonly openExecutions: number;
  /** The earliest instant at which the run moves by itself; null when it waits for others. */
  readonly wakeAt: number | null;
  /** Seq of the last event. */
  readonly lastSeq: number;
  /** The run that it is a child of, permanently; null: of none. */
  readonly parentRunId: string | null;
  /** What created the run, permanently. */
  readonly origin: RunOrigin;
  /** The run that it is a fork of, permanently; null: of none. */
  readonly forkedFrom: string | null;
  /** The run failed because it was cancelled, or was live when it was imported. */
  readonly isCancelled: boolean;
  /** What the run spent; null: it ended before this was kept. */
  readonly figures: RunFigures | null;
}

export interface RunFigures {
  readonly tokens: number;
  /** In the currency that the units report. */
  readonly cost: number;
  /** Ms of time not paused, without the period that is open since `activeSince`. */
  readonly activeMs: number;
  /** Epoch ms; null while it is paused or over. */
  readonly activeSince: number | null;
}

/** A run as lists show it. */
export interface ListedRun {
  readonly row: RunRow;
  readonly labels: Readonly<Record<string, string>>;
  /** The oldest 20 that wait for a decision. */
  readonly openGates: readonly OpenGate[];
}

/** What the runs of a list have in common. Null: it does not matter. */
export interface RunFilter {
  readonly workflowId: string | null;
  /** The run has any of these statuses; at least one. */
  readonly statuses: readonly RunStatus[] | null;
  /** The run has all of these labels; at most three. */
  readonly labels: readonly { readonly name: string; readonly value: string }[];
  /** Epoch ms, inclusive. */
  readonly createdFrom: number | null;
  /** Epoch ms, exclusive. */
  readonly createdBefore: number | null;
  /** True: at least one gate waits for a decision. */
  readonly hasOpenGate: true | null;
  /** A gate of this unit waits for a decision. */
  readonly gateUnit: string | null;
  readonly isCancelled: boolean | null;
  readonly origin: RunOrigin | null;
  readonly forkedFrom: string | null;
  readonly definitionHash: string | null;
  readonly idPrefix: string | null;
}

/** Where a page of runs ended. */
export interface RunCursor {
  readonly createdAt: number;
  readonly runId: string;
}

/** A gate that was decided, for lists. */
export interface DecidedGate extends OpenGate {
  /** Epoch ms. */
  readonly decidedAt: number;
  /** Seq of the event that says how. */
  readonly decidedSeq: number;
}

/** A gate of any run, as lists find it; its question is in the event of its run whose seq is `gateId`. */
export interface ListedGate extends OpenGate {
  readonly runId: string;
  readonly workflowId: string;
  readonly definitionHash: string;
  /** Null: it waits for a decision. */
  readonly decidedAt: number | null;
  readonly decidedSeq: number | null;
}

/** Where a page of gates ended: `at` is when the gate opened, or, for decided ones, when it was decided. */
export interface GateCursor {
  readonly at: number;
  readonly runId: string;
  readonly gateId: number;
}

/** The state after event `seq`, encoded; states of another `stateVersion` are ignored and rebuilt. */
export interface StoredState {
  readonly seq: number;
  readonly stateVersion: number;
  readonly state: JsonValue;
}

/** What a caller's `Idempotency-Key` stands for, written in the append that it caused. */
export interface IdempotencyRecord {
  /** Namespaces the key: `start:<workflowId>`, or one of `resume`, `hitl`, `cancel`, `pause` and `:<runId>`. */
  readonly scope: string;
  readonly key: string;
  /** Hash of the request; the same key with another request is refused by the engine. */
  readonly fingerprint: string;
  readonly runId: string;
}

/** A gate that waits for a decision, for lists. No text of the author's or the run's: this is never encrypted. */
export interface OpenGate {
  readonly gateId: number;
  readonly unitId: string;
  /** Epoch ms. */
  readonly openedAt: number;
}

export interface AppendRequest {
  readonly runId: string;
  /** `seq` of the last event that the writer knows; 0 creates the run. */
  readonly expectedSeq: number;
  /** At least one, with consecutive `seq` from `expectedSeq + 1`. */
  readonly events: readonly StoredEvent[];
  /** The run as it is after the events. */
  readonly row: RunRow;
  /** A full state to keep next to the events; null most of the time. */
  readonly storedState: StoredState | null;
  readonly idempotency: readonly IdempotencyRecord[];
  /** The run's labels, with its first append (later ones are not looked at); null: none, or not the first. */
  readonly labels: Readonly<Record<string, string>> | null;
  /** Every gate that is open after these events; null: the same as before. A run that has ended has none. */
  readonly openGates: readonly OpenGate[] | null;
  /** The gates that these events decide; null: none. */
  readonly decidedGates: readonly DecidedGate[] | null;
  /**
   * The registration that a start was made from: `stale` unless it still holds. Null: not checked, as for every append but a
   * first one, and in a process that alone registers in this store.
   */
  readonly startedFrom: { readonly hash: string; readonly opening: string | null } | null;
  /** Whether the run's parent or its children may have to be notified: then the append is entered into the family log. */
  readonly concernsFamily: boolean;
}

/**
 * Nothing was written unless `appended`. `conflict`: another writer appended first, or an idempotency key exists. `stale`:
 * the workflow is registered with another definition by now, or not at all, or the run that a fork (`origin`) was to be
 * initialised from is not stored any more. What is both is a `conflict`, so that a start that is requested again finds its
 * run.
 */
export type AppendResult = 'appended' | 'conflict' | 'stale';

export interface LoadedRun {
  readonly row: RunRow;
  /** The newest stored state at or before the requested seq, or null; only the last few of a run are kept. */
  readonly storedState: StoredState | null;
  /** The events after it (after 0 without one), in order; many or large ones only in part: `readEvents` reads the others. */
  readonly events: readonly StoredEvent[];
}

/** A workflow as it was registered; runs are pinned to it by its hash. */
export interface StoredDefinition {
  readonly namespace: string;
  readonly hash: string;
  readonly workflowId: string;
  /** Sealed where the engine has a key, like `plan`. */
  readonly yaml: string;
  readonly bindings: JsonObject;
  /** The plan as text; null: written before plans were stored. */
  readonly plan: string | null;
  /** Epoch ms. */
  readonly registeredAt: number;
}

/** Which definition the later runs of a workflow start from. */
export interface Registration {
  readonly namespace: string;
  readonly workflowId: string;
  readonly hash: string;
  /** Epoch ms of this registration, not of the first. */
  readonly registeredAt: number;
}

/**
 * Runs by shard: the last byte of the run id, modulo `count`, is one of `lanes`. An id whose last two characters are no hex
 * digits counts as byte 0. Null in place of a set: all runs.
 */
export interface ShardSet {
  readonly count: number;
  readonly lanes: readonly number[];
}

/** What a follower of the whole store reads: one append, or the notification that a run was purged. */
export type LogEntry = {
  /** Grows with every entry of the store; followers keep it as their cursor. */
  readonly position: number;
  readonly runId: string;
  readonly namespace: string;
  readonly workflowId: string;
} & (
  | {
      readonly kind: 'appended';
      /** The hash of the definition that the run is pinned to. */
      readonly definitionHash: string;
      /** The run was imported: what its log records happened elsewhere. Absent: it was not. */
      readonly isImport?: true;
      /** The events of one append; an import may be split into several entries. */
      readonly events: readonly StoredEvent[];
    }
  /** A tombstone, written in the purge's own transaction: followers remove what they derived from the run, too. */
  | { readonly kind: 'purged' }
);

/** An append of which its run's parent or children may have to be notified. */
export interface FamilyEntry {
  /** The append's position in the store's log. */
  readonly position: number;
  readonly runId: string;
}

/** One attempt of one execution whose call has begun. */
export interface CallMark {
  readonly runId: string;
  readonly executionId: number;
  readonly attempt: number;
}

/** A run in which the process died, several times in a row and with nothing of it appended between. */
export interface CrashCounts {
  readonly runId: string;
  /** Seq of its last event each time. */
  readonly lastSeq: number;
  readonly deaths: number;
}

/**
 * Keeps the logs of all runs. Every method takes one readonly parameter object; what is absent is null.
 *
 * Numbered promises, each checked by `testing/contract/run-store`:
 * 1. `append` is atomic: events, row, stored state, keys, labels and open gates are written all or not at all.
 * 2. `append` writes only if the run's last seq is `expectedSeq`; of two writers one gets `conflict`.
 * 3. When `append` has returned its result, what it wrote survives the death of the process (in-memory: not promised), and
 *    no reader saw it before.
 * 4. `position` never goes back and no entry appears later below a position already read.
 * 5. A rejected promise means: unknown. The caller reloads before it continues. A `StoreError` that is `permanent` will come
 *    again however often the same request is tried.
 * 6. Calls that were marked as begun are known after the death of the process (in-memory: not promised), though not after a
 *    power cut; a clean `close` forgets them.
 * 7. The same holds for the runs that are marked as being at risk, and for those whose `load` is long. How often in a row
 *    the process died in a run is known until its turn comes to an end or something of it is appended.
 * 8. What a method returns is never changed afterwards, and what it was given is not kept by a store that shares memory with
 *    the caller unless the caller may not change it either (events, rows and states are frozen or owned).
 */
export interface RunStore {
  /**
   * Opens or creates what is needed. Rejects with a `StoreError` that says what to do. `opening` is the id of this boot of
   * the store: registrations carry it, so that a registry that lives in memory can tell its own from older ones.
   */
  open(): Promise<{ readonly opening: string }>;
  /**
   * Returns the result itself where there is nothing to wait for: a promise costs more than such an append does. A fault is
   * a rejection in either case, never a throw.
   */
  append(request: AppendRequest): AppendResult | Promise<AppendResult>;
  /** Null for a run that does not exist. `atSeq` (null: the end) stops the log there, for rewinds. */
  load(request: { readonly runId: string; readonly atSeq: number | null }): Promise<LoadedRun | null>;
  /** Null for a run that does not exist. */
  readRow(request: { readonly runId: string }): Promise<RunRow | null>;
  /**
   * Events with `afterSeq < seq`, oldest first, at most `limit`. Empty for an unknown run. With `maxChars` a page may be
   * shorter before the end, though not empty: a store that has to read and parse events ends it at about so many characters
   * of JSON. However many events are requested, no other request waits for all of them.
   */
  readEvents(request: {
    readonly runId: string;
    readonly afterSeq: number;
    readonly limit: number;
    readonly maxChars?: number;
  }): Promise<readonly StoredEvent[]>;
  /**
   * Runs of the namespace that pass the filter, newest first by (createdAt, runId), after `before`. It looks at no more than
   * 10,000 rows: with a `next` the page may be short, or empty. A run that matches throughout is on exactly one page of a
   * walk, whatever else begins or changes meanwhile.
   */
  findRuns(request: {
    readonly namespace: string;
    readonly filter: RunFilter;
    readonly before: RunCursor | null;
    readonly limit: number;
  }): Promise<{ readonly runs: readonly ListedRun[]; readonly next: RunCursor | null }>;
  /** The run as `findRuns` shows it; null for a run that does not exist. */
  readListed(request: { readonly runId: string }): Promise<ListedRun | null>;
  /** Gates of the namespace: open ones by when they opened, decided ones by when they were decided; newest first. */
  listGates(request: {
    readonly namespace: string;
    readonly status: GateStatus;
    readonly workflowId: string | null;
    readonly before: GateCursor | null;
    readonly limit: number;
  }): Promise<{ readonly gates: readonly ListedGate[]; readonly next: GateCursor | null }>;
  countOpenGates(request: {
    readonly namespace: string;
    readonly workflowId: string | null;
  }): Promise<number>;
  /** How many runs of all namespaces have not ended, by status, and how many gates wait. */
  countStanding(): Promise<{
    readonly pending: number;
    readonly running: number;
    readonly paused: number;
    readonly openGates: number;
  }>;
  /** The runs that have entries after `afterPosition`, oldest first, at most `limit`; no event is read for it. */
  readChanges(request: { readonly afterPosition: number; readonly limit: number }): Promise<
    readonly {
      readonly position: number;
      readonly runId: string;
      /** The entry says that it was purged. */
      readonly isPurged: boolean;
    }[]
  >;
  /** The definitions of a workflow that are kept, newest first by (registeredAt, hash), at most `limit`. */
  listDefinitions(request: {
    readonly namespace: string;
    readonly workflowId: string;
    readonly before: { readonly registeredAt: number; readonly hash: string } | null;
    readonly limit: number;
  }): Promise<readonly { readonly hash: string; readonly registeredAt: number }[]>;
  /** Runs not ended that have open executions, by runId after `afterRunId`, at most `limit`. */
  listUnfinished(request: {
    readonly lanes: ShardSet | null;
    readonly afterRunId: string | null;
    readonly limit: number;
  }): Promise<readonly RunRow[]>;
  /** Runs not ended whose `wakeAt` is at or before `before`, by (wakeAt, runId) after `after`, at most `limit`. */
  listDue(request: {
    readonly lanes: ShardSet | null;
    readonly before: number;
    readonly after: { readonly wakeAt: number; readonly runId: string } | null;
    readonly limit: number;
  }): Promise<readonly RunRow[]>;
  /** The children of a run that have not ended, by runId after `afterRunId`, at most `limit`. */
  listChildren(request: {
    readonly parentRunId: string;
    readonly afterRunId: string | null;
    readonly limit: number;
  }): Promise<readonly RunRow[]>;
  /**
   * Below a run, at any depth, the runs that have not ended and have an open gate, by runId after `afterRunId`, at most
   * `limit`. Absent: callers go through the children.
   */
  listRunsBelowWithGates?(request: {
    readonly runId: string;
    readonly afterRunId: string | null;
    readonly limit: number;
  }): Promise<readonly RunRow[]>;
  /**
   * The run that a run's family began with: that of its parent, where it is a child that was started here (`origin`), else
   * itself, also where it is unknown. It never changes.
   */
  readRoot(request: { readonly runId: string }): Promise<string>;
  /** How many runs, of whichever generation, have that root and have not ended; it counts to `atMost`. */
  countDescendants(request: { readonly rootRunId: string; readonly atMost: number }): Promise<number>;
  /** The run's open gates, oldest first; those of all its branches. */
  listOpenGates(request: { readonly runId: string }): Promise<readonly OpenGate[]>;
  /** The run's labels; none for an unknown run. */
  readLabels(request: { readonly runId: string }): Promise<Readonly<Record<string, string>>>;
  /**
   * Keeps the definition without registering it. Idempotent: the newest `plan` and `bindings` of a hash win, but for
   * a `plan` that is null. With `unlessKept` one of the hash that is there stays as it is.
   */
  saveDefinition(definition: StoredDefinition & { readonly unlessKept?: true }): Promise<void>;
  readDefinition(request: {
    readonly namespace: string;
    readonly hash: string;
  }): Promise<StoredDefinition | null>;
  /** Keeps the definition and makes it what later runs of its workflow start from, in one step. */
  register(request: { readonly definition: StoredDefinition; readonly opening: string }): Promise<void>;
  /** What is registered; with an `opening`, only what was registered in that boot. */
  readRegistration(request: {
    readonly namespace: string;
    readonly workflowId: string;
    readonly opening: string | null;
  }): Promise<Registration | null>;
  /**
   * All registrations in the order of each workflow's first; with an `opening`, only those of that boot, in its own order.
   */
  listRegistrations(request: {
    readonly namespace: string | null;
    readonly opening: string | null;
  }): Promise<readonly Registration[]>;
  /** How many definitions there are, and what their texts take together, in bytes or characters. */
  definitionsKept(): Promise<{ readonly count: number; readonly size: number }>;
  /**
   * Deletes at most `limit` definitions that no stored run and no registration names, and returns how many; that may be
   * fewer than there are. A run whose first append resolved before keeps its definition, whenever it came. With an
   * `opening`, registrations of other boots are ignored, and go with their definitions.
   */
  removeUnusedDefinitions(request: {
    readonly opening: string | null;
    readonly limit: number;
  }): Promise<number>;
  readIdempotency(request: {
    readonly scope: string;
    readonly key: string;
  }): Promise<IdempotencyRecord | null>;
  /**
   * The store's log in commit order, after `afterPosition` (0: from the first), at most `limit`. A page may be
   * shorter than `limit` before the end (large outputs); an empty one is the end. Of a purged run the appends are
   * gone and a tombstone stands at the end.
   */
  readAll(request: { readonly afterPosition: number; readonly limit: number }): Promise<readonly LogEntry[]>;
  /** The position of the newest entry; 0 while there is none. */
  lastPosition(): Promise<number>;
  /**
   * The appends that concern families, in commit order, after `afterPosition`, at most `limit`; without those that were
   * dropped. Nothing of a run that never concerned one is read for it.
   */
  readFamilyLog(request: {
    readonly afterPosition: number;
    readonly limit: number;
  }): Promise<readonly FamilyEntry[]>;
  /** Forgets entries at or before the position: all runs that had to be notified of them have been. */
  dropFamilyLog(request: { readonly throughPosition: number }): Promise<void>;
  /** A follower's cursor in `readAll`; 0 for a new one. */
  readCursor(request: { readonly name: string }): Promise<number>;
  writeCursor(request: { readonly name: string; readonly position: number }): Promise<void>;
  /**
   * Deletes at most `limit` runs that ended before the instant, writes a tombstone for each in the same transaction, and
   * returns their ids, oldest end first. A run with an entry after `throughPosition` (the slowest follower's cursor; null:
   * there are no followers) stays, and so does one with an entry in the family log, and one that another stored run is a
   * fork of: it goes right after the last of its forks. Fewer than `limit` means that no other may go, however many must
   * stay; the search may continue where the call before left off, and then from the oldest on.
   */
  purgeEnded(request: {
    readonly endedBefore: number;
    readonly throughPosition: number | null;
    readonly limit: number;
  }): Promise<readonly string[]>;
  /** Forgets tombstones at or before the position: every follower has read them. */
  dropTombstones(request: { readonly throughPosition: number }): Promise<void>;
  /** Ids of runs, not ended, that a version before the present schema wrote and nobody indexed since. */
  listUnindexed(request: { readonly limit: number }): Promise<readonly string[]>;
  /** Enters what that version did not keep: the gates that are open. Does nothing to a run that is indexed. */
  indexRun(request: { readonly runId: string; readonly openGates: readonly OpenGate[] }): Promise<void>;
  /** False: the store ends with the process, so that the calls that had begun are never read. Absent: true. */
  readonly keepsMarks?: boolean;
  /**
   * Records which calls begin and which are over, synchronously, before the calls begin. It never throws: a fault of the
   * disk shows in a deep `check`, and a store that is not open ignores it.
   */
  markCalls(request: { readonly begun: readonly CallMark[]; readonly ended: readonly CallMark[] }): void;
  /** The calls that had begun and were not over when the process that opened the store before this one died. */
  callsLeftBehind(): Promise<readonly CallMark[]>;
  /**
   * Records that a turn, or the reading of a long log, begins that may kill the process, with the run's last seq; null: it
   * is over. Each call replaces the one before. As `markCalls` it is synchronous and never throws.
   */
  markAtRisk(request: {
    readonly runId: string;
    readonly doing: 'load' | 'turn';
    readonly lastSeq: number | null;
  }): void;
  /** The runs in which the processes before this one died. The caller compares `lastSeq` with the run's row. */
  deathsLeftBehind(): Promise<readonly CrashCounts[]>;
  /**
   * Resolves when the store can serve; rejects with a `StoreError` otherwise. `deep` also reads, and tries a write where
   * the last one failed; without it the check costs microseconds: the folder is still the one that was opened.
   */
  check(request: { readonly deep: boolean }): Promise<void>;
  /**
   * Calls `onCommit` after every commit from now on: how many operations were in it, how long it took from when the writer
   * was handed them, and whether they are durable. `onCommit` never throws. Absent: the store commits nothing.
   */
  tellCommits?(onCommit: (operations: number, tookMs: number, isDurable: boolean) => void): void;
  /** Waits for what was appended; afterwards every method rejects. */
  close(): Promise<void>;
}

export type StoreMethod = Exclude<keyof RunStore, 'keepsMarks' | 'tellCommits' | 'listRunsBelowWithGates'>;
