import { setTimeout as delay } from 'node:timers/promises';
import { until as untilSo } from './eventually.js';

export interface RunAddress {
  readonly workflowId: string;
  readonly runId: string;
}

/** How somebody steers and sees runs, whatever serves them, and however often it crashes meanwhile. */
export interface FamilySeen {
  /** Resolves once it is answered; sent again under its key until it is. */
  ask(run: RunAddress, what: 'pause' | 'resume' | 'cancel', key: string): Promise<void>;
  statusOf(run: RunAddress): Promise<string>;
  /** The children that it began. */
  childrenOf(run: RunAddress): Promise<readonly RunAddress[]>;
  /** Why the run is paused, where that is the last it recorded; null: it is not. */
  lastPause(run: RunAddress): Promise<string | null>;
}

/** Of the root, and of each run below it that has children. */
const WIDTH = 2;
const LOOKS_EVERY_MS = 25;
const WITHIN_MS = 60_000;
const until: typeof untilSo = (isSo, what) => untilSo(isSo, what, WITHIN_MS);

const fan = (id: string, workflowId: string) => ({
  id,
  units: [{ id: 'one', uses: 'builtin.workflow', config: { workflowId }, with: {} }],
  flow: { type: 'foreach', items: '[0, 1]', do: 'one', maxConcurrency: WIDTH },
});

/** A root, two below it, and four below those, each of which pauses before every one of its calls. */
export const PAUSING_FAMILY = [
  {
    id: 'leaf',
    units: [{ id: 'work', uses: 'acme.work', pause: 'before', with: {} }],
    flow: { type: 'loop', do: 'work', maxIterations: 100_000, until: 'false' },
  },
  fan('middle', 'leaf'),
  fan('root', 'middle'),
];
const LEAVES = WIDTH ** 2;

/**
 * Steers one family of `STANDING_FAMILY`, one request after another, and holds it to this: a resume lets every leaf make
 * one more call, whatever is sent twice or crashes on the way; a family that is paused calls nothing.
 */
export class SteeredFamily {
  readonly faults: string[] = [];
  private requests = 0;
  private all: readonly RunAddress[] = [];

  constructor(
    private readonly root: RunAddress,
    private readonly seen: FamilySeen,
    /** How many calls of the leaf were made, each counted once. */
    private readonly callsOf: (leaf: RunAddress) => number,
    /** Befalls it while a request is under way. */
    private readonly disturb: () => Promise<void>,
  ) {}

  /** Resolves once all of it is paused for the first time. */
  async begin(): Promise<void> {
    await until(
      async () => (this.all = await this.family()).length === 1 + WIDTH + LEAVES,
      'all runs have begun',
    );
    await this.untilPaused();
  }

  get leaves(): readonly RunAddress[] {
    return this.all.filter(({ workflowId }) => workflowId === 'leaf');
  }

  /** A resume of all of it: each leaf makes one call. */
  async resumeOnce(): Promise<void> {
    const before = this.counts();
    await this.ask(this.root, 'resume');
    await this.untilPaused();
    this.compare(before, 1, 1, 'one resume');
  }

  /** A pause while calls are made, by the root or in a part of it, and a resume of all. */
  async resumeAndPause(inPart: number | null, afterMs: number): Promise<void> {
    const before = this.counts();
    const middles = this.all.filter(({ workflowId }) => workflowId === 'middle');
    const run = inPart === null ? this.root : (middles[inPart % middles.length] ?? this.root);
    await this.ask(this.root, 'resume');
    await delay(afterMs);
    await this.ask(run, 'pause');
    await this.expectNoCalls(run);
    await this.ask(this.root, 'resume');
    await this.untilPaused();
    this.compare(before, 1, 2, `two resumes, with a pause of ${run.workflowId} between`);
  }

  /** A pause of all of it where it is, and a resume. */
  async pauseAndResume(): Promise<void> {
    const before = this.counts();
    await this.ask(this.root, 'pause');
    await this.expectNoCalls(this.root);
    this.compare(before, 0, 0, 'a pause');
    await this.ask(this.root, 'resume');
    await this.untilPaused();
    this.compare(before, 0, 1, 'one resume of what was paused');
  }

  async cancel(): Promise<void> {
    await this.ask(this.root, 'cancel');
    for (const run of this.all)
      await until(async () => (await this.seen.statusOf(run)) === 'failed', `${run.workflowId} is cancelled`);
  }

  private async ask(run: RunAddress, what: 'pause' | 'resume' | 'cancel'): Promise<void> {
    const key = `request-${++this.requests}`;
    await Promise.all([this.seen.ask(run, what, key), this.disturb()]);
    // What was answered is done: the same again does nothing.
    await this.seen.ask(run, what, key);
  }

  /** Resolves once every leaf is paused before its next call, and all of it is paused. */
  private async untilPaused(): Promise<void> {
    for (const leaf of this.leaves) {
      await until(async () => {
        const reason = await this.seen.lastPause(leaf);
        // What was being called in one crash after another is released by its own address.
        if (reason === 'recovery-limit') await this.seen.ask(leaf, 'resume', `again-${++this.requests}`);
        return reason === 'before';
      }, `the leaf ${leaf.runId} stands before its next call`);
    }
    for (const run of this.all)
      await until(async () => (await this.seen.statusOf(run)) === 'paused', `${run.workflowId} is paused`);
  }

  /** Whatever is requested of it, nothing of it is called. */
  private async expectNoCalls(run: RunAddress): Promise<void> {
    const part = await this.family(run);
    for (const one of part)
      await until(async () => (await this.seen.statusOf(one)) === 'paused', `${one.workflowId} is paused`);
    const leaves = part.filter(({ workflowId }) => workflowId === 'leaf');
    const count = () => leaves.reduce((sum, leaf) => sum + this.callsOf(leaf), 0);
    const before = count();
    await this.disturb();
    await delay(4 * LOOKS_EVERY_MS);
    if (count() !== before)
      this.faults.push(`${count() - before} calls were made while ${run.workflowId} was paused`);
  }

  private counts(): readonly number[] {
    return this.leaves.map((leaf) => this.callsOf(leaf));
  }

  private compare(before: readonly number[], least: number, most: number, what: string): void {
    this.counts().forEach((count, index) => {
      const more = count - (before[index] ?? 0);
      if (more < least || more > most) this.faults.push(`a leaf made ${more} calls after ${what}`);
    });
  }

  private async family(from = this.root): Promise<readonly RunAddress[]> {
    const found = [from];
    for (const run of found) if (run.workflowId !== 'leaf') found.push(...(await this.seen.childrenOf(run)));
    return found;
  }
}
