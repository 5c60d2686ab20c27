import type { Engine } from '../../engine/index.js';

/** The shortest interval between notifications. */
const EVERY_MS = 1_000;

/** Passes on that the registered workflows have changed: `note` each time, `notify` once a second at most. */
export class ChangeNotices {
  private readonly stopObserving: () => void;
  private timer: NodeJS.Timeout | null = null;

  constructor(engine: Engine, { note, notify }: { readonly note: () => void; readonly notify: () => void }) {
    this.stopObserving = engine.workflows.observe(() => {
      note();
      this.timer ??= setTimeout(() => {
        this.timer = null;
        notify();
      }, EVERY_MS).unref();
    });
  }

  close(): void {
    this.stopObserving();
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }
}
