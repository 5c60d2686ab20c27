import type { Engine } from '../../engine/index.js';

/** However much is registered, nobody is told more often. */
const EVERY_MS = 1_000;

/** Says that what is registered has changed: once a second at most, however often it does. */
export class ChangeNotices {
  private readonly stopObserving: () => void;
  private timer: NodeJS.Timeout | null = null;

  constructor(engine: Engine, tell: () => void) {
    this.stopObserving = engine.workflows.observe(() => {
      this.timer ??= setTimeout(() => {
        this.timer = null;
        tell();
      }, EVERY_MS).unref();
    });
  }

  close(): void {
    this.stopObserving();
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }
}
