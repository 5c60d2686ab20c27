import { setImmediate } from 'node:timers/promises';
import MiniSearch, { type SearchResult } from 'minisearch';
import { StoreError } from '../../errors/service-errors.js';
import type { MemoryEntry, MemoryHit, MemoryIndex } from '../ports/memory/memory-index.js';
import { fitting, type WorkflowPatterns } from '../ports/access/workflow-patterns.js';
import { namespaceOf, termsOfContent, termsOfQuery, type QueryTerm } from '../ports/memory/memory-terms.js';
import { rankShown, type RankedKey } from '../ports/memory/rank-shown.js';
import { workflowOf } from '../ports/memory/workflow-terms.js';
import { inSlices } from '../scheduling/slice.js';
import { fromTheOldest } from './from-the-oldest.js';

export interface InMemoryMemoryIndexOptions {
  /** Beyond this many entries, the oldest are removed. Default 10,000. */
  readonly maxEntries?: number;
}

/** After this many characters the index yields to the event loop. */
const CHARS_PER_SLICE = 65_536;
/** The cost of an entry in addition to its characters. */
const CHARS_OF_AN_ENTRY = 100;
/** A character that no term contains. */
const BETWEEN_TERMS = ' ';

/**
 * Ranks by BM25+; a word of the text counts when it is, or begins with, a word of the query. Entries are split into words at
 * the first search after them: most are removed before there is one.
 */
export class InMemoryMemoryIndex implements MemoryIndex {
  /** The entries, oldest first. */
  private readonly entries = new Map<string, MemoryEntry>();
  private readonly fromTheOldest = fromTheOldest(this.entries);
  /** The entries that are not in the index yet. */
  private readonly unread = new Map<string, MemoryEntry>();
  private readonly idsByRun = new Map<string, Set<string>>();
  /** By namespace: how many entries an index has, and how long they are, is in all of its scores. */
  private readonly indexes = new Map<string, MiniSearch<MemoryEntry>>();
  /** Changes of the memory happen in the order in which they were requested. */
  private changing: Promise<void> = Promise.resolve();
  private readonly maxEntries: number;
  private isClosed = false;

  constructor({ maxEntries = 10_000 }: InMemoryMemoryIndexOptions = {}) {
    this.maxEntries = maxEntries;
  }

  async open(): Promise<{ readonly isNew: boolean }> {
    return { isNew: this.entries.size === 0 };
  }

  put({ entries }: { readonly entries: readonly MemoryEntry[] }): Promise<void> {
    return this.afterOthers(async () => {
      this.refuseIfClosed();
      for (const entry of entries) {
        this.remove(entry.id);
        this.add(entry);
      }
    });
  }

  async search(request: Parameters<MemoryIndex['search']>[0]): Promise<readonly MemoryHit[]> {
    this.refuseIfClosed();
    const terms = termsOfQuery(request.query, request.namespace);
    if (terms.length === 0) return [];
    await this.afterOthers(() => this.readAll());
    this.refuseIfClosed();
    const { namespace, topK, workflows = null } = request;
    const found =
      workflows === null
        ? this.found(terms, namespace).map(({ id, score }) => ({ key: String(id), rank: score }))
        : await this.rankedShown(terms, namespace, workflows);
    const best = found[0]?.rank ?? 1;
    return found.slice(0, topK).flatMap(({ key, rank }) => {
      const entry = this.entries.get(key);
      return entry === undefined ? [] : [{ ...entry, score: Math.max(rank / best, Number.EPSILON) }];
    });
  }

  private found(terms: readonly QueryTerm[], namespace: string): readonly SearchResult[] {
    const prefixes = new Set(terms.filter(({ isPrefix }) => isPrefix).map(({ text }) => text));
    return (this.indexes.get(namespace) ?? newIndex()).search(
      { combineWith: 'OR', queries: terms.map(({ text }) => text) },
      { prefix: (term) => prefixes.has(term) },
    );
  }

  /** The scores of the index are of all that is in it: what is shown is ranked by itself. */
  private async rankedShown(
    terms: readonly QueryTerm[],
    namespace: string,
    workflows: WorkflowPatterns,
  ): Promise<readonly RankedKey<string>[]> {
    const fits = fitting(workflows);
    const having = new Map<string, ReadonlySet<number>>();
    for (const { id, queryTerms } of this.found(terms, namespace)) {
      const entry = this.entries.get(id);
      if (entry === undefined || !fits(workflowOf(entry.metadata))) continue;
      having.set(id, new Set(terms.flatMap(({ text }, index) => (queryTerms.includes(text) ? [index] : []))));
    }
    const newestFirst = [...this.entries.keys()].filter((id) => having.has(id)).toReversed();
    return inSlices(
      rankShown({
        terms,
        namespace,
        found: new Map(newestFirst.map((id) => [id, having.get(id) ?? new Set()])),
        read: (id) => this.entries.get(id)?.content ?? null,
      }),
    );
  }

  removeRuns({ runIds }: { readonly runIds: readonly string[] }): Promise<void> {
    return this.afterOthers(async () => {
      this.refuseIfClosed();
      for (const runId of runIds) {
        for (const id of this.idsByRun.get(runId) ?? []) this.remove(id);
      }
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.entries.clear();
    this.unread.clear();
    this.idsByRun.clear();
    this.indexes.clear();
  }

  private afterOthers(change: () => Promise<void>): Promise<void> {
    const changed = this.changing.then(change);
    this.changing = changed.catch(() => undefined);
    return changed;
  }

  /** Yields to the event loop in between; other changes of the memory wait for it. */
  private async readAll(): Promise<void> {
    let chars = 0;
    for (const [id, entry] of this.unread) {
      this.unread.delete(id);
      this.indexOf(entry).add(entry);
      chars += entry.content.length + CHARS_OF_AN_ENTRY;
      if (chars < CHARS_PER_SLICE) continue;
      chars = 0;
      await setImmediate();
    }
  }

  private add(entry: MemoryEntry): void {
    this.entries.set(entry.id, entry);
    this.unread.set(entry.id, entry);
    const runId = runOf(entry);
    if (runId !== null) {
      const ids = this.idsByRun.get(runId);
      if (ids === undefined) this.idsByRun.set(runId, new Set([entry.id]));
      else ids.add(entry.id);
    }
    if (this.entries.size <= this.maxEntries) return this.fromTheOldest.stop();
    const oldest = this.fromTheOldest.next();
    if (oldest !== undefined) this.remove(oldest);
  }

  private remove(id: string): void {
    const entry = this.entries.get(id);
    if (entry === undefined) return;
    this.entries.delete(id);
    if (!this.unread.delete(id)) this.removeFromIndex(entry);
    const runId = runOf(entry);
    const ids = runId === null ? undefined : this.idsByRun.get(runId);
    if (runId === null || ids === undefined) return;
    ids.delete(id);
    if (ids.size === 0) this.idsByRun.delete(runId);
  }

  private indexOf({ metadata }: MemoryEntry): MiniSearch<MemoryEntry> {
    const namespace = namespaceOf(metadata);
    const index = this.indexes.get(namespace) ?? newIndex();
    this.indexes.set(namespace, index);
    return index;
  }

  private removeFromIndex(entry: MemoryEntry): void {
    const index = this.indexOf(entry);
    index.remove(entry);
    if (index.documentCount === 0) this.indexes.delete(namespaceOf(entry.metadata));
  }

  private refuseIfClosed(): void {
    if (this.isClosed) throw new StoreError('The memory is closed: open a new one');
  }
}

function newIndex(): MiniSearch<MemoryEntry> {
  return new MiniSearch<MemoryEntry>({
    fields: ['content'],
    extractField: (entry, field) => (field === 'id' ? entry.id : termsOf(entry).join(BETWEEN_TERMS)),
    tokenize: (terms) => terms.split(BETWEEN_TERMS),
    processTerm: (term) => term,
  });
}

function runOf({ metadata }: MemoryEntry): string | null {
  return typeof metadata['runId'] === 'string' ? metadata['runId'] : null;
}

function termsOf({ content, metadata }: MemoryEntry): readonly string[] {
  return termsOfContent(content, namespaceOf(metadata));
}
