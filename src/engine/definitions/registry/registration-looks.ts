import type { CancelTimer, Clock } from '../../ports/clock.js';

const EVERY_MS = 5_000;

/** Looks every few seconds at what other processes registered, for as long as somebody wants to know. */
export class RegistrationLooks {
  /** Null: nobody wants to know. */
  private cancelTimer: CancelTimer | null = null;
  private isClosed = false;

  /** @param look never rejects */
  constructor(
    private readonly clock: Clock,
    private readonly look: () => Promise<void>,
  ) {}

  /** Does nothing where it looks already. */
  start(): void {
    if (this.cancelTimer === null && !this.isClosed) this.schedule();
  }

  stop(): void {
    this.cancelTimer?.();
    this.cancelTimer = null;
  }

  /** The process ends: it looks no more, whoever wants to know. */
  close(): void {
    this.isClosed = true;
    this.stop();
  }

  private schedule(): void {
    const { clock } = this;
    const next = (): void => {
      void this.look().then(() => {
        // It may have been stopped meanwhile, and started again.
        if (this.cancelTimer === cancelTimer) this.schedule();
      });
    };
    const cancelTimer = clock.schedule(clock.now() + EVERY_MS, next, true);
    this.cancelTimer = cancelTimer;
  }
}
