import type { Choices } from './choices.js';
import type { CrashWorkflow } from './crash-workflows.js';
import type { PersistentClient } from './persistent-client.js';
import { RunDriver, type DrivenRun } from './run-driver.js';

/** Many clients at once: each starts another run as soon as one has ended. A client that meets a fault stops. */
export class Crowd {
  /** The runs that ended, as their clients saw it. */
  readonly driven: DrivenRun[] = [];
  /** Responses that clients should not have received. */
  readonly faults: string[] = [];
  private readonly driving = new Set<RunDriver>();
  private readonly clientLoops: Promise<void>[];
  private isOver = false;

  constructor(
    private readonly client: PersistentClient,
    private readonly workflows: readonly CrashWorkflow[],
    choices: Choices,
    { size }: { readonly size: number },
  ) {
    this.clientLoops = Array.from({ length: size }, () => this.runClient(choices.fork()));
  }

  /** Begins no new runs; resolves once those under way have ended. */
  async disperse(withinMs: number): Promise<void> {
    this.isOver = true;
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<'late'>((resolve) => (timer = setTimeout(resolve, withinMs, 'late')));
    const outcome = await Promise.race([Promise.all(this.clientLoops), tooLate]);
    clearTimeout(timer);
    if (outcome !== 'late') return;
    const stuck = [...this.driving].map(({ description }) => description);
    throw new Error(`These runs did not end within ${withinMs} ms:\n${stuck.join('\n')}`);
  }

  private async runClient(choices: Choices): Promise<void> {
    while (!this.isOver) {
      const driver = new RunDriver(this.client, this.weighted(choices), choices.fork());
      this.driving.add(driver);
      try {
        const run = await driver.drive();
        if (run !== null) this.driven.push(run);
      } catch (error) {
        this.faults.push(`${driver.description}: ${error instanceof Error ? error.message : String(error)}`);
        return;
      } finally {
        this.driving.delete(driver);
      }
    }
  }

  private weighted(choices: Choices): CrashWorkflow {
    const total = this.workflows.reduce((sum, { weight }) => sum + weight, 0);
    let at = choices.fraction() * total;
    return this.workflows.find(({ weight }) => (at -= weight) < 0) ?? (this.workflows[0] as CrashWorkflow);
  }
}
