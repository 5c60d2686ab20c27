import { namespaceOf } from '../../../engine/ports/memory/memory-terms.js';
import { termOfWorkflow, workflowOf } from '../../../engine/ports/memory/workflow-terms.js';
import type { MemoryEntry } from '../../../engine/ports/memory/memory-index.js';
import { Slice } from '../../../engine/scheduling/slice.js';
import { numberOf, textOf } from '../database/columns.js';
import type { Database, Query } from '../database/database.js';
import { escaped } from '../database/escaped.js';
import { wordsOf } from './word-texts.js';

/** An entry as its columns have it. */
interface StoredEntry {
  readonly id: string;
  readonly namespace: string;
  readonly workflowId: string;
  readonly runId: string | null;
  readonly content: string;
  readonly metadata: string;
  readonly terms: number;
  readonly words: string;
}

/** What one statement writes at most; a larger entry has one of its own. */
const MAX_ENTRIES = 100;
const MAX_CHARS = 2_000_000;

/**
 * Counts the entries to each namespace before they are put, and says which number its newest has. It holds the rows of the
 * namespaces until the end of the transaction: two replicas that put at once do so one after the other.
 */
const COUNT_TO_NAMESPACES = `
  INSERT INTO @.memory_namespaces AS known (namespace, newest, terms)
  SELECT added.namespace, added.entries, added.terms
  FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS added (namespace, entries, terms)
  ON CONFLICT (namespace) DO UPDATE SET newest = known.newest + excluded.newest, terms = known.terms + excluded.terms
  RETURNING namespace, newest`;

const PUT = `
  INSERT INTO @.memory_entries (id, namespace, number, run_id, terms, content, metadata, words, workflow_id)
  SELECT given.id, given.namespace, given.number, given.run_id, given.terms, given.content, given.metadata,
    given.words::tsvector, given.workflow_id
  FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::integer[], $6::text[], $7::text[], $8::text[], $9::text[])
    AS given (id, namespace, number, run_id, terms, content, metadata, words, workflow_id)
  ON CONFLICT (id) DO UPDATE SET
    workflow_id = excluded.workflow_id, namespace = excluded.namespace, number = excluded.number, run_id = excluded.run_id, terms = excluded.terms,
    content = excluded.content, metadata = excluded.metadata, words = excluded.words`;

const REMOVE_RUNS = 'DELETE FROM @.memory_entries WHERE run_id = ANY ($1::text[])';

/** Puts all or none of them. Of several with one id it takes the last. */
export async function putEntries(
  database: Pick<Database, 'transaction'>,
  entries: readonly MemoryEntry[],
): Promise<void> {
  const stored = await storedEntries(entries);
  if (stored.length === 0) return;
  await database.transaction(async (query) => {
    const numbers = await takeNumbers(query, stored);
    let batch: StoredEntry[] = [];
    let chars = 0;
    for (const entry of stored) {
      const more = entry.content.length + entry.metadata.length + entry.words.length;
      if (batch.length > 0 && (batch.length >= MAX_ENTRIES || chars + more > MAX_CHARS)) {
        await putBatch(query, batch, numbers);
        batch = [];
        chars = 0;
      }
      batch.push(entry);
      chars += more;
    }
    await putBatch(query, batch, numbers);
  });
}

export async function removeRuns(query: Query, runIds: readonly string[]): Promise<void> {
  if (runIds.length > 0) await query(REMOVE_RUNS, [runIds.map(escaped)]);
}

/** Others have the event loop in between: to split the outputs of many units into words takes long. */
async function storedEntries(entries: readonly MemoryEntry[]): Promise<readonly StoredEntry[]> {
  const slice = new Slice();
  const stored = new Map<string, StoredEntry>();
  for (const entry of entries) {
    if (slice.isOver) await slice.next();
    // The last of an id is put when it came, not when the first did.
    stored.delete(entry.id);
    stored.set(entry.id, storedEntry(entry));
  }
  return [...stored.values()];
}

function storedEntry({ id, content, metadata }: MemoryEntry): StoredEntry {
  const namespace = namespaceOf(metadata);
  const { runId } = metadata;
  const workflowId = workflowOf(metadata);
  const { text: words, terms } = wordsOf(content, namespace, [termOfWorkflow(workflowId, namespace)]);
  return {
    id: escaped(id),
    namespace: escaped(namespace),
    workflowId: escaped(workflowId),
    runId: typeof runId === 'string' ? escaped(runId) : null,
    content: escaped(content),
    metadata: JSON.stringify(metadata),
    terms,
    words,
  };
}

/** The numbers of the entries within their namespaces, by their ids. */
async function takeNumbers(
  query: Query,
  entries: readonly StoredEntry[],
): Promise<ReadonlyMap<string, number>> {
  const byNamespace = Map.groupBy(entries, ({ namespace }) => namespace);
  // In one order, since each is held from then on.
  const namespaces = [...byNamespace].sort(([a], [b]) => (a < b ? -1 : 1));
  const counted = await query(COUNT_TO_NAMESPACES, [
    namespaces.map(([namespace]) => namespace),
    namespaces.map(([, those]) => those.length),
    namespaces.map(([, those]) => those.reduce((sum, { terms }) => sum + terms, 0)),
  ]);
  const numbers = new Map<string, number>();
  for (const columns of counted) {
    const those = byNamespace.get(textOf(columns, 'namespace')) ?? [];
    const before = numberOf(columns, 'newest') - those.length;
    for (const [index, { id }] of those.entries()) numbers.set(id, before + index + 1);
  }
  return numbers;
}

async function putBatch(
  query: Query,
  batch: readonly StoredEntry[],
  numbers: ReadonlyMap<string, number>,
): Promise<void> {
  await query(PUT, [
    batch.map(({ id }) => id),
    batch.map(({ namespace }) => namespace),
    batch.map(({ id }) => numbers.get(id) ?? null),
    batch.map(({ runId }) => runId),
    batch.map(({ terms }) => terms),
    batch.map(({ content }) => content),
    batch.map(({ metadata }) => metadata),
    batch.map(({ words }) => words),
    batch.map(({ workflowId }) => workflowId),
  ]);
}
