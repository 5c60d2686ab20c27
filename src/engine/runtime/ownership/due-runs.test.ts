import type { ShardSet } from '../../ports/store/run-index.js';
import type { RunRow } from '../../ports/store/run-row.js';
import type { RunStore } from '../../ports/store/run-store.js';
import { sampleRow } from '../../testing/contract/run-store/support/sample-run.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { RecordingLogger } from '../../testing/recording-logger.js';
import { DueRuns } from './due-runs.js';

const HORIZON_MS = 30_000;
type Look = Parameters<RunStore['listDue']>[0];

/** A process that wakes runs, over a store of rows; the looks into it, and which runs were woken when. */
class Waking {
  readonly clock = new ManualClock(0);
  readonly logger = new RecordingLogger();
  readonly looks: Look[] = [];
  readonly woken: (readonly [runId: string, at: number])[] = [];
  /** In the order of their due times. A run that was woken leaves the list. */
  rows: RunRow[] = [];
  shards: ShardSet | null = null;
  /** Rejects every look while it is set. */
  isBroken = false;
  /** No look ends while it is set. */
  holdsLooks = false;
  /** Where set, each wake-up lasts until it is released. */
  holds: (() => void)[] | null = null;
  /** Called in the middle of a look. */
  onLook = (): void => undefined;

  readonly due: DueRuns;

  constructor({ isAlone = false } = {}) {
    this.due = new DueRuns({
      store: {
        listDue: async (look) => {
          this.looks.push(look);
          await Promise.resolve();
          this.onLook();
          if (this.holdsLooks) await new Promise(() => undefined);
          if (this.isBroken) throw new Error('the disk is gone');
          return this.listDue(look);
        },
      },
      clock: this.clock,
      logger: this.logger,
      shards: () => this.shards,
      isAlone,
      wake: (runId) => {
        this.woken.push([runId, this.clock.now()]);
        this.rows = this.rows.filter((row) => row.runId !== runId);
        const { holds } = this;
        return holds === null ? Promise.resolve() : new Promise((resolve) => holds.push(resolve));
      },
    });
  }

  listDue = ({ before, after, limit }: Look): readonly RunRow[] =>
    this.rows
      .filter(({ wakeAt, runId }) => wakeAt !== null && wakeAt <= before && isAfter({ wakeAt, runId }, after))
      .slice(0, limit);

  add(runId: string, wakeAt: number | null): void {
    this.rows.push(sampleRow(runId, { wakeAt }));
  }

  get names(): readonly string[] {
    return this.woken.map(([runId]) => runId);
  }

  async begin(): Promise<void> {
    this.due.look();
    await this.clock.advance(0);
  }
}

function isAfter(row: { wakeAt: number; runId: string }, after: Look['after']): boolean {
  if (after === null) return true;
  return row.wakeAt > after.wakeAt || (row.wakeAt === after.wakeAt && row.runId > after.runId);
}

async function ticks(count: number): Promise<void> {
  for (let tick = 0; tick < count; tick += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe('runs of a shard that goes away', () => {
  it('are not woken, nor when it has come back, before a look finds them due', async () => {
    const waking = new Waking();
    await waking.begin();
    waking.due.set('gone', 1_000);
    waking.due.set('here', 1_000);
    waking.due.forget((runId) => runId === 'gone');
    await waking.clock.advance(2_000);
    expect(waking.names).toEqual(['here']);
    waking.add('gone', 1_000);
    waking.due.look();
    await waking.clock.advance(0);
    expect(waking.names).toEqual(['here', 'gone']);
  });

  it('are not woken either where they are due, and wait until others are', async () => {
    const waking = new Waking();
    waking.holds = [];
    await waking.begin();
    for (let index = 0; index < 70; index += 1) waking.due.set(`run ${index}`, 1_000);
    await waking.clock.advance(1_000);
    waking.due.forget((runId) => runId === 'run 69');
    for (const release of waking.holds.splice(0)) release();
    await waking.clock.advance(0);
    expect([waking.woken.length, waking.names.includes('run 69')]).toEqual([69, false]);
  });
});

describe('runs that wait for a time', () => {
  it('are woken when they are due, no earlier, in the order of their times', async () => {
    const waking = new Waking();
    await waking.begin();
    waking.due.set('late', 2_000);
    waking.due.set('early', 1_000);
    expect(waking.due.size).toBe(2);
    await waking.clock.advance(999);
    expect(waking.woken).toEqual([]);
    await waking.clock.advance(5_000);
    expect(waking.woken).toEqual([
      ['early', 1_000],
      ['late', 2_000],
    ]);
    expect(waking.due.size).toBe(0);
  });

  it('are found in the store when they fall due within half a minute, and not before', async () => {
    const waking = new Waking();
    waking.shards = { count: 8, lanes: [3] };
    waking.add('overdue', 0);
    waking.add('soon', HORIZON_MS);
    waking.add('later', HORIZON_MS + 1);
    waking.add('for people', null);
    await waking.begin();
    expect(waking.names).toEqual(['overdue']);
    expect(waking.due.size).toBe(1);
    expect(waking.looks).toEqual([{ lanes: waking.shards, before: HORIZON_MS, after: null, limit: 500 }]);
    await waking.clock.advance(HORIZON_MS);
    expect(waking.looks).toHaveLength(2);
    expect(waking.looks[1]).toMatchObject({ before: 2 * HORIZON_MS });
    await waking.clock.advance(1);
    expect(waking.names).toEqual(['overdue', 'soon', 'later']);
  });

  it('are looked for once in half a minute while nothing happens, with one timer', async () => {
    const waking = new Waking();
    await waking.begin();
    await waking.clock.advance(10 * HORIZON_MS);
    expect(waking.looks).toHaveLength(11);
    expect(waking.clock.scheduled).toBe(1);
    waking.due.set('a', waking.clock.now() + 10);
    waking.due.set('b', waking.clock.now() + 5);
    expect(waking.clock.scheduled).toBe(1);
  });

  it('take no memory beyond the horizon', async () => {
    const waking = new Waking();
    await waking.begin();
    waking.due.set('at the end', HORIZON_MS);
    waking.due.set('beyond', HORIZON_MS + 1);
    expect(waking.due.size).toBe(1);
  });

  it('are woken at the time that was set last, and only then', async () => {
    const waking = new Waking();
    await waking.begin();
    for (const at of [1_000, 5_000, 3_000, 3_000]) waking.due.set('a', at);
    await waking.clock.advance(10_000);
    expect(waking.woken).toEqual([['a', 3_000]]);
  });

  it('are not woken when they wait for something else by then, or for a time that is far off', async () => {
    const waking = new Waking();
    await waking.begin();
    waking.due.set('a', 1_000);
    waking.due.set('b', 1_000);
    waking.due.set('c', 1_000);
    waking.due.set('a', null);
    waking.due.set('b', HORIZON_MS + 1);
    await waking.clock.advance(10_000);
    expect(waking.names).toEqual(['c']);
  });

  it('are woken at once for a time that is past', async () => {
    const waking = new Waking();
    await waking.begin();
    await waking.clock.advance(1_000);
    waking.due.set('a', 10);
    await waking.clock.advance(0);
    expect(waking.woken).toEqual([['a', 1_000]]);
  });

  it('are loaded sixty-four at a time when many fall due in one instant', async () => {
    const waking = new Waking();
    waking.holds = [];
    await waking.begin();
    for (let count = 0; count < 130; count += 1) waking.due.set(`run-${count}`, 1_000);
    await waking.clock.advance(1_000);
    expect(waking.woken).toHaveLength(64);
    waking.holds.shift()!();
    await waking.clock.advance(0);
    expect(waking.woken).toHaveLength(65);
    while (waking.holds.length > 0) {
      waking.holds.splice(0).forEach((release) => release());
      await waking.clock.advance(0);
    }
    expect(new Set(waking.names).size).toBe(130);
    // None of them counts any more: as many as before may be woken at once.
    for (let count = 0; count < 130; count += 1) waking.due.set(`again-${count}`, 2_000);
    await waking.clock.advance(1_000);
    expect(waking.woken).toHaveLength(130 + 64);
  });

  it('are read page by page, and each is woken once', async () => {
    const waking = new Waking();
    const name = (count: number): string => `run-${`${count}`.padStart(5, '0')}`;
    for (let count = 0; count < 1_200; count += 1) waking.add(name(count), 1_000 + Math.floor(count / 300));
    await waking.begin();
    expect(waking.looks).toHaveLength(3);
    expect(waking.due.size).toBe(1_200);
    await waking.clock.advance(2_000);
    expect(waking.woken).toHaveLength(1_200);
    expect(new Set(waking.names).size).toBe(1_200);
  });

  it('are read up to 20,000 in one look, and the rest when the last of those is due', async () => {
    const waking = new Waking();
    const page = (wakeAt: number) =>
      Array.from({ length: 500 }, (_, count) => sampleRow(`run-${wakeAt}-${count}`, { wakeAt }));
    let pages = 0;
    waking.listDue = () => page(1_000 + pages++);
    await waking.begin();
    await ticks(3);
    expect([waking.looks.length, waking.due.size]).toEqual([40, 20_000]);
    waking.listDue = () => [];
    await waking.clock.advance(1_038);
    expect(waking.looks).toHaveLength(40);
    await waking.clock.advance(1);
    expect(waking.looks).toHaveLength(41);
    expect(waking.looks[40]).toMatchObject({ after: null, before: 1_039 + HORIZON_MS });
    expect(waking.woken).toHaveLength(20_000);
  });

  it('are looked for again soon when the store fails, which is logged', async () => {
    const waking = new Waking();
    waking.add('a', 1_000);
    waking.isBroken = true;
    await waking.begin();
    expect(waking.logger.said).toEqual([
      {
        level: 'warn',
        message: 'The runs that are due could not be read; the next look tries again',
        fields: { error: 'the disk is gone' },
      },
    ]);
    await waking.clock.advance(4_999);
    expect(waking.looks).toHaveLength(1);
    waking.isBroken = false;
    await waking.clock.advance(1);
    expect(waking.looks).toHaveLength(2);
    expect(waking.woken).toEqual([['a', 5_000]]);
  });

  it('are looked for once more when shards are acquired in the middle of a look', async () => {
    const waking = new Waking();
    waking.onLook = () => {
      waking.onLook = () => undefined;
      waking.shards = { count: 8, lanes: [1, 2] };
      waking.due.look();
      waking.due.look();
    };
    await waking.begin();
    await waking.clock.advance(0);
    expect(waking.looks.map(({ lanes }) => lanes)).toEqual([null, { count: 8, lanes: [1, 2] }]);
    await waking.clock.advance(HORIZON_MS - 1);
    expect(waking.looks).toHaveLength(2);
  });

  it('are not lost when they are set while a look is under way', async () => {
    const waking = new Waking();
    waking.onLook = () => waking.due.set('told', 20_000);
    waking.due.look();
    waking.due.set('told before', 25_000);
    await waking.clock.advance(0);
    waking.onLook = () => undefined;
    await waking.clock.advance(HORIZON_MS);
    expect(waking.names).toEqual(['told', 'told before']);
  });

  it('are woken in time although a look takes long', async () => {
    const waking = new Waking();
    waking.isBroken = true;
    waking.onLook = () => waking.due.set('a', 8_000);
    await waking.begin();
    waking.onLook = () => undefined;
    waking.isBroken = false;
    waking.holdsLooks = true;
    await waking.clock.advance(8_000);
    expect(waking.looks).toHaveLength(2);
    expect(waking.woken).toEqual([['a', 8_000]]);
  });

  it('are not woken any more in a process that ends, and no timer is left', async () => {
    const waking = new Waking();
    waking.holds = [];
    await waking.begin();
    for (let count = 0; count < 70; count += 1) waking.due.set(`run-${count}`, 1_000);
    waking.due.set('later', 2_000);
    await waking.clock.advance(1_000);
    expect(waking.woken).toHaveLength(64);
    waking.due.stop();
    expect([waking.due.size, waking.clock.scheduled]).toEqual([0, 0]);
    waking.holds.splice(0).forEach((release) => release());
    await waking.clock.advance(60_000);
    expect(waking.woken).toHaveLength(64);
    waking.due.set('after the end', waking.clock.now());
    expect(waking.clock.scheduled).toBe(0);
  });

  it('are not taken over by a look that comes back after the end', async () => {
    const waking = new Waking();
    for (let count = 0; count < 600; count += 1) waking.add(`run-${count}`, 1_000);
    waking.onLook = () => waking.due.stop();
    await waking.begin();
    expect([waking.due.size, waking.looks.length, waking.clock.scheduled]).toEqual([0, 1, 0]);
  });
});

describe('runs of a store that nobody else appends to', () => {
  it('are looked for when the next of them is due soon, and cause no looks before', async () => {
    const waking = new Waking({ isAlone: true });
    const week = 7 * 86_400_000;
    waking.add('in a week', week);
    await waking.begin();
    await waking.clock.advance(week - 1);
    expect(waking.names).toEqual([]);
    // Each look asks for what is near, and for the next one after that.
    expect(waking.looks.length).toBeLessThan(2 * (7 * 4 + 3));
    await waking.clock.advance(1);
    expect(waking.woken).toEqual([['in a week', week]]);
  });

  it('are looked for at once when one is set that is due sooner', async () => {
    const waking = new Waking({ isAlone: true });
    await waking.begin();
    await waking.clock.advance(3_600_000);
    const at = waking.clock.now() + 10;
    waking.add('soon', at);
    waking.due.set('soon', at);
    await waking.clock.advance(10);
    expect(waking.woken).toEqual([['soon', at]]);
  });

  it('may be set while a look is under way', async () => {
    const waking = new Waking({ isAlone: true });
    waking.onLook = () => waking.due.set('told', 60_000);
    await waking.begin();
    waking.onLook = () => undefined;
    waking.add('told', 60_000);
    await waking.clock.advance(60_000);
    expect(waking.woken).toEqual([['told', 60_000]]);
  });

  it.each(Array.from({ length: 24 }, (_, index) => index))(
    'are woken in time when one is set %i microtasks after a look began',
    async (microtasks) => {
      const waking = new Waking({ isAlone: true });
      waking.due.look();
      for (let step = 0; step < microtasks; step += 1) await Promise.resolve();
      waking.add('meanwhile', 600_000);
      waking.due.set('meanwhile', 600_000);
      await waking.clock.advance(600_000);
      expect(waking.woken).toEqual([['meanwhile', 600_000]]);
    },
  );
});
