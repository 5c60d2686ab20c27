import type { Engine } from '../../engine/index.js';

/** However much is registered, nobody is told more often. */
const EVERY_MS = 1_000;

/** Passes on that what is registered has changed: `note` each time, `tell` once a second at most, however often it does. */
export class ChangeNotices {
  private readonly stopObserving: () => void;
  private timer: NodeJS.Timeout | null = null;

  constructor(engine: Engine, { note, tell }: { readonly note: () => void; readonly tell: () => void }) {
    this.stopObserving = engine.workflows.observe(() => {
      note();
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
