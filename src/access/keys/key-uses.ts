import type { AccessStore, Clock, EngineLogger } from '../../engine/index.js';
import { messageOf } from '../../errors/flowgate-error.js';

const WRITE_EVERY_MS = 5 * 60_000;
/** Uses of this time are written together. */
const COLLECT_MS = 1_000;

interface UsedKey {
  readonly id: string;
  readonly lastUsedAt: number | null;
}

export interface KeyUsesParts {
  readonly store: Pick<AccessStore, 'markUsed'>;
  readonly clock: Clock;
  readonly logger: EngineLogger;
}

/** Notes in the store that keys are used, each at most once in five minutes. No request waits for it. */
export class KeyUses {
  /** By id: the last one that was written, or is about to be. */
  private readonly noted = new Map<string, number>();
  private readonly unwritten = new Set<string>();
  private cancel: (() => void) | null = null;
  private writing: Promise<void> = Promise.resolve();
  private isClosed = false;

  constructor(private readonly parts: KeyUsesParts) {}

  note({ id, lastUsedAt }: UsedKey): void {
    if (this.isClosed) return;
    const { clock } = this.parts;
    const at = clock.wallTime();
    const before = Math.max(lastUsedAt ?? -Infinity, this.noted.get(id) ?? -Infinity);
    if (at - before < WRITE_EVERY_MS) return;
    this.noted.set(id, at);
    this.unwritten.add(id);
    this.cancel ??= clock.schedule(clock.now() + COLLECT_MS, () => this.write(), true);
  }

  /** Resolves when what was noted is written, or could not be. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.cancel?.();
    this.write();
    await this.writing;
  }

  private write(): void {
    this.cancel = null;
    const ids = [...this.unwritten];
    this.unwritten.clear();
    if (ids.length === 0) return;
    const at = this.parts.clock.wallTime();
    // What the store says from now on is younger.
    for (const [id, notedAt] of this.noted) if (at - notedAt >= WRITE_EVERY_MS) this.noted.delete(id);
    this.writing = this.writing
      .then(() => this.parts.store.markUsed({ ids, at }))
      .catch((error: unknown) => {
        this.parts.logger.warn('The last use of keys could not be written; it is written with a later one', {
          keys: ids.length,
          error: messageOf(error),
        });
        for (const id of ids) this.noted.delete(id);
      });
  }
}
