import type { Definition } from '../../definitions/definition.js';
import type { WorkflowRegistry } from '../../definitions/registry/workflow-registry.js';
import { LiveRun } from './live-run.js';
import { refuseBarred } from '../refuse-barred.js';
import type { RunInMemory, RunShell } from '../run-shell.js';

interface Loading {
  /** See `RunOwnership.tenure`. */
  readonly tenure: unknown;
  readonly loaded: Promise<LiveRun | null>;
}

/**
 * The runs that are in memory because something of them is in flight or they are in use.
 *
 * 1. Code that works with a run checks it out for as long (`withRun`, `checkOutNew`); reading needs no checkout (`peek`).
 * 2. A run is in memory once per process, and only in the process that owns it. Elsewhere each checkout loads it again:
 *    what another process decides shows only in the store.
 * 3. A run without a checkout that has nothing to do leaves memory at once.
 * 4. Of all copies of a run only the one that is entered here calls units (`isOwned`).
 */
export class LiveRuns {
  private readonly runs = new Map<string, LiveRun>();
  private readonly loading = new Map<string, Loading>();

  constructor(
    private readonly shell: RunShell,
    private readonly registry: Pick<WorkflowRegistry, 'pinnedTo'>,
    /** False: other processes append to our runs, too, so a checkout begins with a look at the store. */
    private readonly isAlone: boolean,
  ) {}

  all(): Iterable<LiveRun> {
    return this.runs.values();
  }

  get size(): number {
    return this.runs.size;
  }

  /** Read-only access, without a checkout; undefined for most runs. */
  peek(runId: string): RunInMemory | undefined {
    return this.runs.get(runId);
  }

  /** Checks the run out for `use`; null when it does not exist. */
  async withRun<T>(runId: string, use: (run: LiveRun) => Promise<T>): Promise<T | null> {
    const run = await this.checkOut(runId);
    if (run === null) return null;
    try {
      return await use(run);
    } finally {
      this.end(run);
    }
  }

  /** Checks out a run that does not exist yet, until `end`: its first signal is `start`. */
  checkOutNew(runId: string, definition: Definition): LiveRun {
    refuseBarred(this.shell.ownership, runId);
    const run = new LiveRun(runId, definition, this.shell);
    run.checkouts++;
    return this.shell.ownership.owns(runId) ? this.enter(run) : run;
  }

  /** A checkout is over. */
  end(run: LiveRun): void {
    run.checkouts--;
    run.leaveIfIdle();
  }

  /** Forgets a run that has nothing to do; the store has all of it. */
  forget(run: RunInMemory): void {
    const entered = this.runs.get(run.runId);
    if (entered !== run) return;
    entered.isOwned = false;
    this.runs.delete(run.runId);
  }

  private enter(run: LiveRun): LiveRun {
    run.isOwned = true;
    this.runs.set(run.runId, run);
    return run;
  }

  private async checkOut(runId: string): Promise<LiveRun | null> {
    const live = this.runs.get(runId);
    if (live !== undefined) {
      live.checkouts++;
      if (!this.isAlone) await this.lookAgain(live);
      return live;
    }
    const { ownership } = this.shell;
    refuseBarred(ownership, runId);
    const wasOwned = ownership.owns(runId);
    const tenure = ownership.tenure(runId);
    // A load that began before this checkout may be older than what the caller knows of.
    const isJoined = this.loading.get(runId)?.tenure === tenure;
    const loaded = await (wasOwned ? this.loadOnce(runId, tenure) : this.load(runId));
    if (loaded === null) return null;
    // Entered and checked out in one step: in between, the end of another checkout would make it leave memory.
    const isOwned = ownership.owns(runId);
    // Another owner may have recorded what this copy would call again.
    if (isOwned && wasOwned && ownership.tenure(runId) !== tenure) return this.checkOut(runId);
    const run = isOwned ? (this.runs.get(runId) ?? this.enter(loaded)) : loaded;
    run.checkouts++;
    if (!this.isAlone && (isJoined || isOwned !== wasOwned || run !== loaded)) await this.lookAgain(run);
    return run;
  }

  private async lookAgain(run: LiveRun): Promise<void> {
    try {
      const row = await this.shell.store.readRow({ runId: run.runId });
      if (row !== null && row.lastSeq > run.durable.seq) await run.refresh();
    } catch (error) {
      this.end(run);
      throw error;
    }
  }

  /** Concurrent checkouts share one load, but none that began before the shard was somebody else's. */
  private loadOnce(runId: string, tenure: unknown): Promise<LiveRun | null> {
    const known = this.loading.get(runId);
    if (known?.tenure === tenure && known !== undefined) return known.loaded;
    const loading: Loading = {
      tenure,
      loaded: this.load(runId).finally(() => {
        if (this.loading.get(runId) === loading) this.loading.delete(runId);
      }),
    };
    this.loading.set(runId, loading);
    return loading.loaded;
  }

  private async load(runId: string): Promise<LiveRun | null> {
    const row = await this.shell.store.readRow({ runId });
    if (row === null) return null;
    const { namespace, workflowId, definitionHash: hash } = row;
    const definition = await this.registry.pinnedTo({ namespace, workflowId, hash });
    const run = new LiveRun(runId, definition, this.shell);
    return (await run.load()) ? run : null;
  }
}
