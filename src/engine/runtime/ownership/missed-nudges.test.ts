import { inShard, shardOf } from '../../core/ids/shard.js';
import type { RunRow } from '../../ports/store/run-row.js';
import { sampleRow } from '../../testing/contract/run-store/support/sample-run.js';
import { ManualClock } from '../../testing/manual-clock.js';
import type { LiveRun } from '../mailbox/live-run.js';
import { MissedNudges } from './missed-nudges.js';

const COUNT = 2;
const ID = '01980000-0000-7000-8000-0000000000';
const [ONE, TWO, OTHER] = [`${ID}00`, `${ID}02`, `${ID}01`] as const;

/** What one process has in memory and in its store, and which runs it looked at. */
class Process {
  readonly clock = new ManualClock(10_000);
  rows: RunRow[] = [];
  readonly live = new Map<string, LiveRun>();
  readonly awaited = new Set<string>();
  readonly nudged: string[] = [];
  readonly read: string[] = [];
  acquiredAt = Infinity;
  isBroken = false;

  readonly missed = new MissedNudges({
    store: {
      listUnfinished: async ({ lanes }) =>
        this.rows.filter(
          ({ runId, openExecutions }) => openExecutions > 0 && lanes?.lanes.includes(shardOf(runId, COUNT)),
        ),
      readRow: async ({ runId }) => {
        this.read.push(runId);
        return this.rows.find((row) => row.runId === runId) ?? null;
      },
    },
    live: { all: () => this.live.values(), peek: (runId) => this.live.get(runId) },
    clock: this.clock,
    owns: () => true,
    isClosing: () => false,
    awaited: () => this.awaited,
    isSinceAcquired: ({ updatedAt }) => updatedAt >= this.acquiredAt,
    nudge: async (runId) => {
      this.nudged.push(runId);
      return !this.isBroken;
    },
  });

  look(...lanes: readonly number[]): Promise<number> {
    return this.missed.look({ count: COUNT, lanes: lanes.length === 0 ? [0, 1] : lanes });
  }

  /** Known to memory as of that seq, and doing nothing. */
  hold(runId: string, seq: number): void {
    const run = { runId, isOwned: true, isSettled: true, durable: { seq } };
    this.live.set(runId, run as unknown as LiveRun);
  }
}

const open = (runId: string, more: Partial<RunRow> = {}): RunRow =>
  sampleRow(runId, { openExecutions: 1, lastSeq: 2, updatedAt: 1_000, wakeAt: null, ...more });

describe('a look for runs to which others appended without a nudge', () => {
  it('finds those in memory that are behind, whether something of them is open or not', async () => {
    const process = new Process();
    process.rows = [open(ONE, { lastSeq: 5 }), open(TWO, { lastSeq: 5, openExecutions: 0 }), open(OTHER)];
    process.hold(ONE, 4);
    process.hold(TWO, 4);
    process.hold(OTHER, 2);
    expect(await process.look()).toBe(2);
    expect(process.nudged).toEqual([ONE, TWO]);
  });

  it('finds those of the others that are due at once, each once for each append', async () => {
    const process = new Process();
    process.rows = [open(ONE, { wakeAt: 1_000 }), open(OTHER)];
    expect([await process.look(), await process.look()]).toEqual([1, 0]);
    process.rows = [open(ONE, { wakeAt: 2_000, updatedAt: 2_000, lastSeq: 4 })];
    expect(await process.look()).toBe(1);
    expect(process.nudged).toEqual([ONE, ONE]);
  });

  it('does not forget what it looked at for a look at other shards', async () => {
    const process = new Process();
    process.rows = [open(ONE, { wakeAt: 1_000 })];
    expect([await process.look(), await process.look(1), await process.look()]).toEqual([1, 0, 0]);
  });

  it('tries one again that could not be read', async () => {
    const process = new Process();
    process.rows = [open(ONE, { wakeAt: 1_000 })];
    process.isBroken = true;
    await process.look();
    process.isBroken = false;
    expect([await process.look(), await process.look()]).toEqual([1, 0]);
  });

  it('finds what the owner before appended when the shard was here already', async () => {
    const process = new Process();
    process.acquiredAt = 1_000;
    process.rows = [open(ONE), open(TWO, { updatedAt: 999 })];
    expect([await process.look(), await process.look()]).toEqual([1, 0]);
    expect(process.nudged).toEqual([ONE]);
  });

  it('finds those that have stopped elsewhere while somebody waits for them here, and no other', async () => {
    const process = new Process();
    const [stopped, running, elsewhere] = [3, 5, 7].map((byte) => inShard(`${ID}0${byte}`, 0, COUNT)) as [
      string,
      string,
      string,
    ];
    process.rows = [
      open(stopped, { openExecutions: 0, status: 'completed' }),
      open(running, { openExecutions: 0, status: 'running' }),
      open(OTHER, { openExecutions: 0, status: 'paused' }),
    ];
    for (const runId of [stopped, running, elsewhere, OTHER]) process.awaited.add(runId);
    expect(await process.look(0)).toBe(1);
    expect(process.nudged).toEqual([stopped]);
    // The one in memory notifies by itself, or is found to be behind.
    process.hold(stopped, 2);
    expect(await process.look(0)).toBe(0);
  });
});
