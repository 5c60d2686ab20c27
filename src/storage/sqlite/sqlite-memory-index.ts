import { StoreError } from '../../errors/service-errors.js';
import type { MemoryEntry, MemoryHit, MemoryIndex } from '../../engine/ports/memory/memory-index.js';
import { toStoreError } from './connection/sqlite-fault.js';
import { createDataFolder, dataFolder, type DataFolder } from './folder/data-folder.js';
import { hasFullTextSearch } from './memory/full-text-search.js';
import { openMemory } from './memory/memory-schema.js';
import type { FoundEntry, IndexedEntry, MemoryTask, MemoryTaskResult } from './memory/memory-task.js';
import { MAX_CONTENT_CHARS, namespaceOf } from '../../engine/ports/memory/memory-terms.js';
import { workflowOf } from '../../engine/ports/memory/workflow-terms.js';
import { WorkerThread } from './threads/worker-thread.js';

export interface SqliteMemoryIndexOptions {
  /** The data folder; the process that uses this memory must own it (`SqliteRunStore` takes the lock). */
  readonly folder: string;
  /** Where the compiled files of this folder are, ending in `/`. Default: next to this file. */
  readonly workers?: URL;
}

const SMALLEST_SCORE = Number.EPSILON;
/** Its thread ends when there was no search and no output to remember for this long. */
const IDLE_MS = 3_000;

/**
 * Full-text search (SQLite FTS5, ranked by BM25) in a file and a thread of its own, so that neither a search nor a lost file
 * affects a run.
 */
export class SqliteMemoryIndex implements MemoryIndex {
  private readonly folder: DataFolder;
  private readonly thread: WorkerThread<MemoryTask, MemoryTaskResult>;
  private opening: Promise<{ readonly isNew: boolean }> | null = null;
  private closing: Promise<void> | null = null;

  constructor({ folder, workers = new URL('./', import.meta.url) }: SqliteMemoryIndexOptions) {
    this.folder = dataFolder(folder);
    this.thread = new WorkerThread({
      name: 'memory',
      url: new URL('memory/memory-worker.js', workers),
      file: this.folder.memoryFile,
      idleMs: IDLE_MS,
    });
  }

  /**
   * Opens or creates the file; a damaged one is replaced. `isNew`: it is empty, so the log must be followed into it from
   * position 0. The first use opens it, too.
   */
  open(): Promise<{ readonly isNew: boolean }> {
    this.opening ??= this.openOnce().catch((error: unknown) => {
      this.opening = null;
      throw error;
    });
    return this.opening;
  }

  async put({ entries }: { readonly entries: readonly MemoryEntry[] }): Promise<void> {
    await this.perform({ kind: 'put', entries: entries.map(indexed) });
  }

  async search(request: Parameters<MemoryIndex['search']>[0]): Promise<readonly MemoryHit[]> {
    const { namespace, workflows = null, query, topK } = request;
    const result = await this.perform({ kind: 'search', namespace, workflows, query, topK });
    const hits = result.kind === 'found' ? result.hits : [];
    const best = hits[0]?.rank ?? 1;
    return hits.map((hit) => memoryHit(hit, best));
  }

  async removeRuns({ runIds }: { readonly runIds: readonly string[] }): Promise<void> {
    await this.perform({ kind: 'remove-runs', runIds });
  }

  async close(): Promise<void> {
    this.closing ??= this.thread.close();
    await this.closing;
  }

  private async openOnce(): Promise<{ readonly isNew: boolean }> {
    if (!hasFullTextSearch()) {
      throw new StoreError('The SQLite of this Node has no full-text search: use Node 22.16 or newer');
    }
    await createDataFolder(this.folder);
    // Here and not in the thread, which begins with the first text or search: it takes a few ms, and once.
    try {
      const { connection, isNew } = openMemory(this.folder.memoryFile);
      connection.close();
      return { isNew };
    } catch (error) {
      throw toStoreError(error, this.folder.memoryFile);
    }
  }

  private async perform(task: MemoryTask): Promise<MemoryTaskResult> {
    await this.open();
    return this.call(task);
  }

  private call(task: MemoryTask): Promise<MemoryTaskResult> {
    if (this.closing === null) return this.thread.call(task);
    return Promise.reject(new StoreError('The memory is closed: open a new one'));
  }
}

function indexed({ id, content, metadata }: MemoryEntry): IndexedEntry {
  const runId = typeof metadata['runId'] === 'string' ? metadata['runId'] : null;
  return {
    id,
    runId,
    namespace: namespaceOf(metadata),
    workflowId: workflowOf(metadata),
    content: content.slice(0, MAX_CONTENT_CHARS),
    body: JSON.stringify({ content, metadata }),
  };
}

/** BM25 scores a word that nearly every entry has close to zero, and sometimes zero. */
function memoryHit({ id, body, rank }: FoundEntry, best: number): MemoryHit {
  const { content, metadata }: Pick<MemoryEntry, 'content' | 'metadata'> = JSON.parse(body);
  const score = best > 0 ? Math.min(1, Math.max(rank / best, SMALLEST_SCORE)) : 1;
  return { id, content, metadata, score };
}
