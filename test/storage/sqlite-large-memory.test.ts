import { join } from 'node:path';
import type { Connection } from '../../src/storage/sqlite/connection/connection.js';
import { matchWords } from '../../src/storage/sqlite/memory/match-words.js';
import { putEntries, removeRuns, search } from '../../src/storage/sqlite/memory/memory-operations.js';
import { wordsIn } from '../../src/storage/sqlite/memory/namespace-words.js';
import { openMemory } from '../../src/storage/sqlite/memory/memory-schema.js';
import { termsOfQuery } from '../../src/engine/ports/memory/memory-terms.js';
import { temporaryFolder } from '../support/data-folder.js';

const ENTRIES = 60_000;

/** Every entry is of everybody; the words of others say how many have them. */
function contentOf(index: number): string {
  const half = index % 2 === 0 ? 'even' : 'odd';
  return `everybody ${half} number${index} ${index === 7 ? 'harbour' : ''}`;
}

describe('a memory of more than fifty thousand entries', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let connection: Connection;

  beforeAll(async () => {
    folder = await temporaryFolder();
    ({ connection } = openMemory(join(folder.path, 'memory.db')));
    const entries = Array.from({ length: ENTRIES }, (_, index) => entryOf(index, 'default'));
    putEntries(connection, entries);
  }, 60_000);
  afterAll(async () => {
    connection.close();
    await folder.remove();
  });

  function entryOf(index: number, namespace: string) {
    const content = contentOf(index);
    const id = `${namespace}-${index}`;
    const workflowId = index % 10 === 3 ? 'hidden' : 'seen';
    const body = JSON.stringify({ content });
    return { id, runId: `run of ${namespace}`, namespace, workflowId, content, body };
  }
  const found = (query: string, topK = 3, namespace = 'default'): readonly string[] =>
    search(connection, { kind: 'search', namespace, workflows: null, query, topK }).map(({ id }) => id);
  const wordsOf = (query: string) =>
    matchWords(connection, wordsIn(connection, 'default')!, termsOfQuery(query, 'default'));

  it('ranks by what tells entries apart: a word that most have does not count next to a rare one', () => {
    expect(found('everybody harbour', 1)).toEqual(['default-7']);
    expect(wordsOf('everybody harbour').map(({ isCommon }) => isCommon)).toEqual([true, false]);
  });

  it('finds, where every word is one that most have, the newest with all of them', () => {
    expect(found('everybody')).toEqual(['default-59999', 'default-59998', 'default-59997']);
  });

  it('finds words by their beginning, of which it looks for the first by alphabet', () => {
    expect(found('harb')).toEqual(['default-7']);
    expect(wordsOf('number1')[0]?.match.split(' OR ')).toHaveLength(32);
    expect(found('number1', 40)).toHaveLength(32);
    expect(found('number1', 40)).toContain('default-1');
    expect(found('number59999', 1)).toEqual(['default-59999']);
  });

  it('ranks what is shown of it by that alone', () => {
    const shown = (query: string, topK = 3): readonly string[] =>
      search(connection, { kind: 'search', namespace: 'default', workflows: ['see*'], query, topK }).map(
        ({ id }) => id,
      );
    expect(shown('everybody harbour', 1)).toEqual(['default-7']);
    expect(shown('everybody')).toEqual(['default-59999', 'default-59998', 'default-59997']);
    expect(shown('number59993', 1)).toEqual([]);
    expect(shown('number59991', 1)).toEqual(['default-59991']);
  });

  it('shows nothing of one namespace to another', () => {
    putEntries(connection, [entryOf(7, 'acme')]);
    expect(found('everybody harbour', 3, 'acme')).toEqual(['acme-7']);
    removeRuns(connection, ['run of acme']);
    expect(found('harbour', 3, 'acme')).toEqual([]);
    expect(found('harbour')).toEqual(['default-7']);
  });
});
