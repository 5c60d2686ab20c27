import { messageOf } from '../../../errors/flowgate-error.js';
import { StoreError } from '../../../errors/service-errors.js';
import type { Child } from '../../core/waits/child.js';
import { openChildrenOf } from '../../core/family/family-orders.js';
import type { Clock } from '../../ports/clock.js';
import type { EngineLogger } from '../../ports/logger.js';
import type { CommitLog, FamilyEntry } from '../../ports/store/commit-log.js';
import type { RunIndex } from '../../ports/store/run-index.js';
import type { RunLog } from '../../ports/store/run-log.js';
import type { RunRow } from '../../ports/store/run-row.js';
import type { Load } from '../../scheduling/load.js';
import { LogFollower } from '../followers/log-follower.js';
import type { LiveRun } from '../mailbox/live-run.js';
import type { RunReader } from '../reading/run-reader.js';
import type { ChildStarts } from './child-starts.js';
import type { FamilyOrders } from './family-orders.js';
import type { ParentCache } from './parent-cache.js';
import type { ParentNotifier } from './parent-notifier.js';
import { childrenOf } from '../reading/stored-children.js';
import type { OrphanedChildren } from './orphaned-children.js';

const BATCH_ENTRIES = 200;
const FAMILIES_AT_ONCE = 8;

export interface FamilyFollowerOptions {
  readonly store: Pick<CommitLog, 'readFamilyLog' | 'dropFamilyLog'> &
    Pick<RunLog, 'readRow'> &
    Pick<RunIndex, 'listChildren'>;
  readonly parents: ParentCache;
  readonly notifier: ParentNotifier;
  readonly orphans: OrphanedChildren;
  readonly orders: FamilyOrders;
  readonly starts: Pick<ChildStarts, 'forget'>;
  readonly reader: Pick<RunReader, 'fold'>;
  readonly clock: Clock;
  readonly logger: EngineLogger;
  readonly load: Load;
  /** See `LogFollowerOptions`. */
  readonly pollMs: number | null;
}

/**
 * Repairs what was lost between a child and its parent, because a process died or another one decided. It follows the
 * family log, which holds only the appends that concern families, and drops what it has handled: that is its cursor. A run
 * with an entry in it is not purged, so a child exists until its parent was notified.
 *
 * 1. It compares the current states of both, never what an entry said: so an entry may come twice, and late.
 * 2. A family that cannot be read, or decided, is logged and skipped; its children are seen to when the parent is read
 *    again. A transient fault of the store is handled as by every follower.
 */
export function familyFollower(options: FamilyFollowerOptions): LogFollower<FamilyEntry> {
  const { store, clock, logger, load, pollMs } = options;
  const families = new Families(options);
  return new LogFollower({
    name: 'families',
    store: {
      readAll: (request) => store.readFamilyLog(request),
      // It holds nothing but what is to be handled.
      countAfter: async ({ position, atMost }) =>
        (await store.readFamilyLog({ afterPosition: position, limit: atMost })).length,
      // Entries that were handled are dropped.
      readCursor: () => Promise.resolve(0),
      writeCursor: ({ position }) => store.dropFamilyLog({ throughPosition: position }),
    },
    clock,
    logger,
    load,
    pollMs,
    batchEntries: BATCH_ENTRIES,
    handle: (entries) => families.look(new Set(entries.map(({ runId }) => runId))),
  });
}

class Families {
  constructor(private readonly options: FamilyFollowerOptions) {}

  /** Looks at the runs that moved: as parents, and as children, grouped by parent. */
  async look(runIds: ReadonlySet<string>): Promise<void> {
    const { store } = this.options;
    const byParent = new Map<string, RunRow[]>();
    const add = (parentRunId: string, row: RunRow): void => {
      const known = byParent.get(parentRunId);
      if (known === undefined) byParent.set(parentRunId, [row]);
      else known.push(row);
    };
    for (const runId of runIds) {
      const row = await store.readRow({ runId });
      if (row !== null && row.parentRunId !== null) add(row.parentRunId, row);
      for await (const child of childrenOf(store, runId)) add(runId, child);
    }
    const left = byParent.entries();
    const lookNext = async (): Promise<void> => {
      for (const [parentRunId, rows] of left) await this.lookAtFamily(parentRunId, rows);
    };
    await Promise.all(Array.from({ length: FAMILIES_AT_ONCE }, lookNext));
  }

  private async lookAtFamily(parentRunId: string, rows: readonly RunRow[]): Promise<void> {
    const { parents, logger, orphans } = this.options;
    try {
      const isThere = await parents.withParent(parentRunId, async (parent) => {
        await this.settle(parent, rows);
        return true;
      });
      if (isThere === true) return;
      for (const { runId, endedAt } of rows) {
        if (endedAt === null) await orphans.cancel(runId, { evenDetached: false });
      }
    } catch (error) {
      if (error instanceof StoreError && !error.permanent) throw error;
      logger.error('A run and its children cannot be brought together; they are when it is read again', {
        runId: parentRunId,
        error: messageOf(error),
      });
    }
  }

  /** The rows were read before the parent, so a child that it does not wait for is an orphan, not one about to begin. */
  private async settle(parent: LiveRun, rows: readonly RunRow[]): Promise<void> {
    const { orphans } = this.options;
    const waitedFor = new Map(openChildrenOf(parent.durable).map((child) => [child.childRunId, child]));
    await Promise.all(
      rows.map(async (row) => {
        const child = waitedFor.get(row.runId);
        if (child !== undefined) await this.bringTogether(parent, row, child);
        else if (row.endedAt === null) await orphans.cancel(row.runId, { evenDetached: false });
      }),
    );
  }

  /** The parent's order comes first: the child's activity may follow from it. */
  private async bringTogether(parent: LiveRun, row: RunRow, child: Child): Promise<void> {
    const { reader, notifier, orders, starts } = this.options;
    try {
      if (child.order !== null && row.endedAt === null) await orders.follow(parent.runId, child);
      if (!parent.isSettled || !isKnown(row, child))
        await notifier.notify((await reader.fold(row.runId, null)).state);
    } catch (error) {
      starts.forget(child);
      throw error;
    }
  }
}

/** A paused child may have paused again since its parent was notified. */
function isKnown({ endedAt, status, lastSeq }: RunRow, { standing, heardSeq }: Child): boolean {
  if (endedAt !== null || (status === 'paused') !== (standing === 'people')) return false;
  return status !== 'paused' || lastSeq <= heardSeq;
}
