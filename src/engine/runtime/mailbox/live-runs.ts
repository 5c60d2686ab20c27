import type { RunStore } from '../../ports/run-store.js';
import type { Definitions } from '../../definitions/definitions.js';
import type { Definition } from '../../definitions/definition.js';
import { LiveRun } from './live-run.js';
import type { RunInMemory, RunShell } from './run-shell.js';

/** The runs that are in memory because something of them is in flight or somebody just asked. */
export class LiveRuns {
  private readonly runs = new Map<string, LiveRun>();
  private readonly loading = new Map<string, Promise<LiveRun | null>>();

  constructor(
    private readonly store: RunStore,
    private readonly definitions: Definitions,
  ) {}

  all(): Iterable<LiveRun> {
    return this.runs.values();
  }

  get(runId: string): LiveRun | undefined {
    return this.runs.get(runId);
  }

  /** A run that does not exist yet: its first signal is `start`. */
  create(runId: string, definition: Definition, shell: RunShell): LiveRun {
    const run = new LiveRun(runId, definition, shell);
    this.runs.set(runId, run);
    return run;
  }

  /** The run with its state loaded, or null when it does not exist. Two callers get the same one. */
  async acquire(runId: string, shell: RunShell): Promise<LiveRun | null> {
    const live = this.runs.get(runId);
    if (live !== undefined) return live;
    const known = this.loading.get(runId);
    if (known !== undefined) return known;
    const loading = this.load(runId, shell).finally(() => this.loading.delete(runId));
    this.loading.set(runId, loading);
    return loading;
  }

  /** Forgets a run that has nothing to do; the store has all of it. */
  retire(run: RunInMemory): void {
    if (this.runs.get(run.runId) === run) this.runs.delete(run.runId);
  }

  private async load(runId: string, shell: RunShell): Promise<LiveRun | null> {
    const row = await this.store.readRow({ runId });
    if (row === null) return null;
    const definition = await this.definitions.pinnedTo(row.definitionHash, row.workflowId);
    const run = new LiveRun(runId, definition, shell);
    if (!(await run.load())) return null;
    this.runs.set(runId, run);
    return run;
  }
}
