import { LogFollower, type LogFollowerOptions } from '../../../../runtime/followers/log-follower.js';
import type { AppendRequest } from '../../../../ports/store/append.js';
import type { CommitLog, LogEntry } from '../../../../ports/store/commit-log.js';
import type { RunLog } from '../../../../ports/store/run-log.js';
import { ManualClock } from '../../../manual-clock.js';
import { RecordingLogger } from '../../../recording-logger.js';

/** What followers and retention use of a store. */
export type LogStore = Pick<RunLog, 'append'> &
  Pick<
    CommitLog,
    'readAll' | 'lastPosition' | 'countAfter' | 'readCursor' | 'writeCursor' | 'purgeEnded' | 'dropTombstones'
  >;

export interface LogStoreUnderTest {
  readonly store: LogStore;
  dispose(): Promise<void>;
}

/** What a contract file sees: the empty, open store of the test that runs. */
export interface LogFollowerHarness {
  readonly store: LogStore;
}

/** Epoch ms at which every sample run ended. */
export const ENDED_AT = 1_700_000_000_000;

/** Appends one event; `ends`: it is the run's last. */
export function sampleEntry(
  runId: string,
  { seq = 1, ends = false, namespace = 'default' } = {},
): AppendRequest {
  return {
    runId,
    expectedSeq: seq - 1,
    events: [{ v: 1, seq, at: ENDED_AT, type: 'unit-finished' }],
    row: {
      runId,
      namespace,
      workflowId: 'invoices',
      definitionHash: 'hash-1',
      status: ends ? 'completed' : 'running',
      createdAt: ENDED_AT,
      updatedAt: ENDED_AT,
      endedAt: ends ? ENDED_AT : null,
      openExecutions: 0,
      wakeAt: null,
      lastSeq: seq,
      parentRunId: null,
      origin: 'client',
      forkedFrom: null,
      isCancelled: false,
      figures: null,
      compensation: null,
    },
    storedState: null,
    idempotency: [],
    labels: null,
    openGates: null,
    decidedGates: null,
    startedFrom: null,
    concernsFamily: false,
  };
}

/** A run id that sorts as it counts. */
export function idOf(count: number): string {
  return `01980000-0000-7000-8000-${count.toString(16).padStart(12, '0')}`;
}

export async function appendRuns(store: LogStore, first: number, count: number): Promise<void> {
  for (let index = first; index < first + count; index += 1) await store.append(sampleEntry(idOf(index)));
}

/** That store, but for a few of its methods. */
export function changed(store: LogStore, methods: Partial<LogStore>): LogStore {
  return {
    append: (request) => store.append(request),
    readAll: (request) => store.readAll(request),
    lastPosition: () => store.lastPosition(),
    countAfter: (request) => store.countAfter(request),
    readCursor: (request) => store.readCursor(request),
    writeCursor: (request) => store.writeCursor(request),
    purgeEnded: (request) => store.purgeEnded(request),
    dropTombstones: (request) => store.dropTombstones(request),
    ...methods,
  };
}

/** One process that follows: its clock, what it logged, and what it handled. */
export class Following {
  readonly clock = new ManualClock();
  readonly logger = new RecordingLogger();
  readonly batches: (readonly LogEntry[])[] = [];
  /** 0 to 1: the load of the rest of the process. */
  busy = 0;
  readonly follower: LogFollower;
  private controller = new AbortController();
  private following: Promise<void> = Promise.resolve();

  constructor(store: LogStore, options: Partial<LogFollowerOptions> = {}) {
    this.follower = new LogFollower({
      name: 'sample',
      store,
      clock: this.clock,
      logger: this.logger,
      load: { measure: () => () => this.busy },
      batchEntries: 10,
      pollMs: 1_000,
      handle: async (entries) => {
        this.batches.push(entries);
      },
      ...options,
    });
  }

  get handled(): readonly string[] {
    return this.batches.flat().map((entry) => entry.runId);
  }

  begin(): void {
    this.controller = new AbortController();
    this.following = this.follower.follow(this.controller.signal);
  }

  /** Resolves when it has come to its end. */
  end(): Promise<void> {
    this.controller.abort();
    return this.following;
  }

  /**
   * Gives the follower, and the store's own threads, the time until it is so; `stepMs` of it at once. 0: its clock stands still
   * meanwhile, so that what the store takes is no work of the follower's.
   */
  async until(isSo: () => boolean | Promise<boolean>, what: string, stepMs = 10): Promise<void> {
    const giveUpAt = Date.now() + 10_000;
    while (!(await isSo())) {
      if (Date.now() > giveUpAt) throw new Error(`It did not come to pass that ${what}.`);
      await this.clock.advance(stepMs);
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  }
}

/** A follower whose first batch, of what is in the store, is in hand until `finish` is called. */
export async function withABatchInHand(
  store: LogStore,
  options: Partial<LogFollowerOptions> = {},
): Promise<{ readonly process: Following; finish(): void }> {
  const gate = Promise.withResolvers<void>();
  const process: Following = new Following(store, {
    handle: async (entries) => {
      process.batches.push(entries);
      await gate.promise;
    },
    ...options,
  });
  process.begin();
  await process.until(() => process.batches.length === 1, 'a batch is in hand', 0);
  return { process, finish: gate.resolve };
}
