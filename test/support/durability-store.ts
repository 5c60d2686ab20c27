import type { AppendRequest, AppendResult } from '../../src/engine/ports/store/append.js';
import type { RunStore } from '../../src/engine/ports/store/run-store.js';
import { SqliteRunStore } from '../../src/storage/sqlite/sqlite-run-store.js';
import { StoreError } from '../../src/errors/service-errors.js';
import { builtWorkers } from './built-worker.js';

/** How an append goes wrong: nothing is written, or all of it is and only the answer is lost. */
type Failure = 'nothing is written' | 'the answer is lost';

/** The real SQLite store, whose appends a test can block, let fail, and look at. */
export class SteeredStore extends SqliteRunStore {
  /** Every requested append, in order. */
  readonly asked: AppendRequest[] = [];
  /** Requested and not yet allowed to begin. */
  heldBack = 0;
  /** Requests of followers of the log to the store's threads that have no result yet. */
  followed = 0;
  failure: Failure | null = null;
  private gate: { readonly opened: Promise<void>; readonly open: () => void } | null = null;

  constructor(folder: string) {
    super({ folder, workers: builtWorkers });
  }

  /** From now on nothing is written. */
  hold(): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.gate ??= { opened: promise, open: resolve };
  }

  release(): void {
    this.gate?.open();
    this.gate = null;
  }

  override async append(request: AppendRequest): Promise<AppendResult> {
    this.asked.push(request);
    if (this.gate !== null) {
      this.heldBack++;
      await this.gate.opened;
      this.heldBack--;
    }
    if (this.failure === 'nothing is written') throw new StoreError('The disk is full');
    const result = await super.append(request);
    if (this.failure === 'the answer is lost') throw new StoreError('The disk did not answer');
    return result;
  }

  override readAll(request: Parameters<RunStore['readAll']>[0]): ReturnType<RunStore['readAll']> {
    return this.following(super.readAll(request));
  }

  override writeCursor(request: Parameters<RunStore['writeCursor']>[0]): Promise<void> {
    return this.following(super.writeCursor(request));
  }

  private following<T>(asked: Promise<T>): Promise<T> {
    this.followed++;
    return asked.finally(() => this.followed--);
  }
}
