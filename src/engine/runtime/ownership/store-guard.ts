import { messageOf } from '../../../errors/flowgate-error.js';
import type { CancelTimer, Clock } from '../../ports/clock.js';
import type { EngineLogger } from '../../ports/logger.js';
import type { RunStore } from '../../ports/store/run-store.js';

const EVERY_MS = 5_000;

/** Checks every few seconds that the store is still the one that was opened, and logs once when it is not. */
export class StoreGuard {
  private trouble: string | null = null;
  private cancelTimer: CancelTimer = () => undefined;
  private isStopped = false;

  constructor(
    private readonly store: Pick<RunStore, 'check'>,
    private readonly clock: Clock,
    private readonly logger: EngineLogger,
  ) {}

  start(): void {
    if (this.isStopped) return;
    const look = (): void => void this.look({ deep: false }).finally(() => this.start());
    this.cancelTimer = this.clock.schedule(this.clock.now() + EVERY_MS, look, true);
  }

  stop(): void {
    this.isStopped = true;
    this.cancelTimer();
  }

  /** What keeps the store from serving, or null. `deep` also tries a write. */
  async look(how: { readonly deep: boolean }): Promise<string | null> {
    const trouble = await this.store.check(how).then(
      () => null,
      (error: unknown) => messageOf(error),
    );
    // A store that was closed cannot serve, which is not worth logging.
    if (this.isStopped) return trouble;
    if (trouble !== null && this.trouble === null) {
      this.logger.error(`The store cannot serve: ${trouble}`);
    } else if (trouble === null && this.trouble !== null) {
      this.logger.info('The store serves again');
    }
    this.trouble = trouble;
    return trouble;
  }
}
