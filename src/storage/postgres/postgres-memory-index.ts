import { StoreError } from '../../errors/service-errors.js';
import type { JsonObject } from '../../engine/core/json.js';
import type { MemoryEntry, MemoryHit, MemoryIndex } from '../../engine/ports/memory/memory-index.js';
import type { Database } from './database/database.js';
import { fillWorkflows } from './memory/fill-workflows.js';
import { putEntries, removeRuns } from './memory/put-entries.js';
import { searchEntries, type FoundEntry, type SearchRequest } from './memory/search-entries.js';

export interface PostgresMemoryIndexOptions {
  /** That of the store. Whoever made it closes it. */
  readonly database: Pick<Database, 'query' | 'transaction' | 'snapshot'>;
}

const SMALLEST_SCORE = Number.EPSILON;

/** Leaves a row where there was none: whoever did is the first. */
const OPEN = 'INSERT INTO @.memory DEFAULT VALUES ON CONFLICT DO NOTHING RETURNING is_only';

/** Full-text search in the database of the runs, for all replicas; one of them, whose role it is, fills it. */
export class PostgresMemoryIndex implements MemoryIndex {
  private readonly database: PostgresMemoryIndexOptions['database'];
  private opening: Promise<{ readonly isNew: boolean }> | null = null;
  /** Changes happen in the order in which they were requested. */
  private changing: Promise<void> = Promise.resolve();
  private filling: Promise<void> | null = null;
  private isClosed = false;

  constructor({ database }: PostgresMemoryIndexOptions) {
    this.database = database;
  }

  /**
   * `isNew`: nobody has opened it before, so the log must be followed into it from position 0. The first use opens it, too. Its
   * tables come with those of the store.
   */
  async open(): Promise<{ readonly isNew: boolean }> {
    this.refuseIfClosed();
    this.opening ??= this.openOnce().catch((error: unknown) => {
      this.opening = null;
      throw error;
    });
    return this.opening;
  }

  put({ entries }: { readonly entries: readonly MemoryEntry[] }): Promise<void> {
    const given = [...entries];
    return this.afterOthers(() => putEntries(this.database, given));
  }

  async search(request: SearchRequest): Promise<readonly MemoryHit[]> {
    await this.open();
    if (request.workflows !== undefined && request.workflows !== null) await this.fillWorkflows();
    const found = await searchEntries(this.database, request);
    const best = found[0]?.rank ?? 1;
    return found.map((entry) => memoryHit(entry, best));
  }

  removeRuns({ runIds }: { readonly runIds: readonly string[] }): Promise<void> {
    const named = [...runIds];
    return this.afterOthers(() => removeRuns((sql, values) => this.database.query(sql, values), named));
  }

  /** Waits for the changes that were requested. */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all([this.changing, this.filling]);
  }

  /** Some at once, and the rest meanwhile: after an upgrade it may be a million of them. */
  private async fillWorkflows(): Promise<void> {
    const fill = (): Promise<boolean> => fillWorkflows((sql, values) => this.database.query(sql, values));
    if (this.filling !== null || !(await fill())) return;
    const fillAll = async (): Promise<void> => {
      while (!this.isClosed && (await fill()));
    };
    // What fails is tried again by the next search.
    this.filling ??= fillAll()
      .catch(() => undefined)
      .finally(() => (this.filling = null));
  }

  private async openOnce(): Promise<{ readonly isNew: boolean }> {
    const made = await this.database.query(OPEN);
    return { isNew: made.length > 0 };
  }

  private async afterOthers(change: () => Promise<void>): Promise<void> {
    const changed = Promise.all([this.changing, this.open()]).then(change);
    this.changing = changed.catch(() => undefined);
    return changed;
  }

  private refuseIfClosed(): void {
    if (this.isClosed) throw new StoreError('The memory is closed: open a new one');
  }
}

function memoryHit({ id, content, metadata, rank }: FoundEntry, best: number): MemoryHit {
  const values: JsonObject = JSON.parse(metadata);
  return { id, content, metadata: values, score: Math.min(1, Math.max(rank / best, SMALLEST_SCORE)) };
}
