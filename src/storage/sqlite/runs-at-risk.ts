import type { RunDeaths } from '../../engine/ports/run-store.js';
import { bootId } from './boot-id.js';
import { UnsyncedMarks } from './unsynced-marks.js';

/** What the process does with a run: reads it, or decides on what happened to it. */
type Doing = 'load' | 'turn';

const MARK = /^(?:(load|turn)|died (\d+)) (\d+) (.+)$/;

/**
 * In which runs the process is at work that may kill it, and how often in a row it died in them: a mark says what is
 * done, the run's last seq and the run; `died` has a number. Marks of another boot of the machine count nothing.
 *
 * 1. A death counts for each run that was marked; with one of another seq between, something of it was appended, and
 *    it is the first again.
 * 2. Only a turn that came to its end, or an append, takes back what was counted: a run that can be read may kill all
 *    the same.
 */
export class RunsAtRisk {
  private readonly marks: UnsyncedMarks;
  /** By what is done and run: the mark. */
  private readonly open = new Map<string, string>();
  /** By run: the mark of what was counted. */
  private readonly counted = new Map<string, string>();

  constructor(
    file: string,
    private readonly boot: string = bootId(),
  ) {
    this.marks = new UnsyncedMarks(file);
  }

  /** The runs in which the last processes died, in a row. Throws a `StoreError` when the file cannot be read. */
  leftBehind(): readonly RunDeaths[] {
    const left = this.marks.leftBehind();
    if (!left.has(this.bootMark)) return [];
    const deaths = new Map<string, RunDeaths>();
    const begun = new Map<string, number>();
    for (const mark of left) {
      const [, doing, times, seq, runId] = MARK.exec(mark) ?? [];
      if (runId === undefined) continue;
      const lastSeq = Number(seq);
      if (doing === undefined) deaths.set(runId, { runId, lastSeq, deaths: Number(times) });
      else begun.set(runId, Math.max(lastSeq, begun.get(runId) ?? 0));
    }
    for (const [runId, lastSeq] of begun) {
      const known = deaths.get(runId);
      const before = known?.lastSeq === lastSeq ? known.deaths : 0;
      deaths.set(runId, { runId, lastSeq, deaths: before + 1 });
    }
    return [...deaths.values()];
  }

  /** This process begins: what was counted stays, what was going on is over. */
  startOver(left: readonly RunDeaths[]): void {
    this.open.clear();
    this.counted.clear();
    for (const { runId, lastSeq, deaths } of left)
      this.counted.set(runId, `died ${deaths} ${lastSeq} ${runId}`);
    if (left.length === 0) this.marks.forget();
    else this.marks.startOver([this.bootMark, ...this.counted.values()]);
  }

  /** Never throws. Replaces what was said of the same before. */
  begin(doing: Doing, runId: string, lastSeq: number): void {
    const key = `${doing} ${runId}`;
    const mark = `${doing} ${lastSeq} ${runId}`;
    const before = this.open.get(key);
    if (before === mark) return;
    this.open.set(key, mark);
    this.marks.mark({ begun: [this.bootMark, mark], ended: before === undefined ? [] : [before] });
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

  /** A clean end. */
  forget(): void {
    this.open.clear();
    this.counted.clear();
    this.marks.forget();
  }

  release(): void {
    this.marks.release();
  }

  private get bootMark(): string {
    return `boot ${this.boot}`;
  }
}
