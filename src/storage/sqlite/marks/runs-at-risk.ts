import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import type { CrashCounts } from '../../../engine/ports/store/crash-journal.js';
import { UnsyncedMarks } from './unsynced-marks.js';

const LINUX_FILE = '/proc/sys/kernel/random/boot_id';
const MINUTE_MS = 60_000;

/** What the process does with a run: reads it (`load`), or decides on a signal to it (`turn`). */
type Doing = 'load' | 'turn';

const MARK = /^(?:(load|turn)|died (\d+)) (\d+) (.+)$/;

/**
 * The runs whose processing may kill the process, and how often in a row it died in each: a mark says what is done, the
 * run's last seq and the run; `died` has a number. Marks of another boot of the machine count nothing.
 *
 * 1. A crash counts for each run that was marked; if its seq differs from that of the crash before, something of the run was
 *    appended, and the crash is the first again.
 * 2. Only a turn that came to its end, or an append, resets the count: a run that can be read may kill the process all the
 *    same.
 */
export class RunsAtRisk {
  private readonly marks: UnsyncedMarks;
  /** The open mark of each operation on a run. */
  private readonly open = new Map<string, string>();
  /** By run, the mark of its crash count. */
  private readonly counted = new Map<string, string>();

  constructor(
    file: string,
    private readonly machineBoot: string = machineBootId(),
  ) {
    this.marks = new UnsyncedMarks(file);
  }

  /** The runs in which the last processes died, in a row. Throws a `StoreError` when the file cannot be read. */
  leftBehind(): readonly CrashCounts[] {
    const left = this.marks.leftBehind();
    if (!left.has(this.machineBootMark)) return [];
    const crashes = new Map<string, CrashCounts>();
    const begun = new Map<string, number>();
    for (const mark of left) {
      const [, doing, times, seq, runId] = MARK.exec(mark) ?? [];
      if (runId === undefined) continue;
      const lastSeq = Number(seq);
      if (doing === undefined) crashes.set(runId, { runId, lastSeq, deaths: Number(times) });
      else begun.set(runId, Math.max(lastSeq, begun.get(runId) ?? 0));
    }
    for (const [runId, lastSeq] of begun) {
      const known = crashes.get(runId);
      const before = known?.lastSeq === lastSeq ? known.deaths : 0;
      crashes.set(runId, { runId, lastSeq, deaths: before + 1 });
    }
    return [...crashes.values()];
  }

  /** To be called when this process begins: the counts stay, and the open marks are dropped. */
  startOver(left: readonly CrashCounts[]): void {
    this.open.clear();
    this.counted.clear();
    for (const { runId, lastSeq, deaths: crashes } of left)
      this.counted.set(runId, `died ${crashes} ${lastSeq} ${runId}`);
    if (left.length === 0) this.marks.forget();
    else this.marks.startOver([this.machineBootMark, ...this.counted.values()]);
  }

  /** Never throws. Replaces an earlier mark of the same operation. */
  begin(doing: Doing, runId: string, lastSeq: number): void {
    const key = `${doing} ${runId}`;
    const mark = `${doing} ${lastSeq} ${runId}`;
    const before = this.open.get(key);
    if (before === mark) return;
    this.open.set(key, mark);
    this.marks.mark({ begun: [this.machineBootMark, mark], ended: before === undefined ? [] : [before] });
  }

  /** Never throws. */
  end(doing: Doing, runId: string): void {
    const key = `${doing} ${runId}`;
    const ended: string[] = [];
    const mark = this.open.get(key);
    if (mark !== undefined) ended.push(mark);
    this.open.delete(key);
    const counted = doing === 'turn' ? this.counted.get(runId) : undefined;
    if (counted !== undefined) {
      ended.push(counted);
      this.counted.delete(runId);
    }
    if (ended.length > 0) this.marks.mark({ begun: [], ended });
  }

  /** Throws a `StoreError` while the file cannot be written. */
  verify(): void {
    this.marks.verify();
  }

  /** To be called at a clean shutdown. */
  forget(): void {
    this.open.clear();
    this.counted.clear();
    this.marks.forget();
  }

  release(): void {
    this.marks.release();
  }

  private get machineBootMark(): string {
    return `boot ${this.machineBoot}`;
  }
}

/**
 * Identifies the current boot of the machine: what a never synced file says holds only within it. Where the kernel gives no
 * name it is the minute of the boot; a clock that was set changes that, which only means that less is counted.
 */
function machineBootId(): string {
  try {
    return readFileSync(LINUX_FILE, 'utf8').trim();
  } catch {
    return `minute-${Math.round((Date.now() - uptime() * 1_000) / MINUTE_MS)}`;
  }
}
