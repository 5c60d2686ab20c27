import type { EngineLife } from '../../http/identity/engine-life.js';

/** The shortest interval between notifications. */
const EVERY_MS = 1_000;

export interface ChangeNoticesOptions {
  /** Called at each change. */
  readonly note: () => void;
  /** Called once a second at most for each namespace in which something has changed. */
  readonly notify: (namespace: string) => void;
}

/** Passes on that the registered workflows of a namespace have changed. */
export class ChangeNotices {
  private readonly stopObserving: () => void;
  private timer: NodeJS.Timeout | null = null;
  private readonly changedIn = new Set<string>();

  constructor(engine: Pick<EngineLife, 'observeWorkflows'>, { note, notify }: ChangeNoticesOptions) {
    this.stopObserving = engine.observeWorkflows((namespace) => {
      note();
      this.changedIn.add(namespace);
      this.timer ??= setTimeout(() => {
        this.timer = null;
        const changed = [...this.changedIn];
        this.changedIn.clear();
        for (const one of changed) notify(one);
      }, EVERY_MS).unref();
    });
  }

  close(): void {
    this.stopObserving();
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }
}
