import type { MemoryEntry, MemoryIndex } from '../../src/engine/ports/memory/memory-index.js';
import { sampleEntry } from '../../src/engine/testing/contract/memory-index/support/contract.js';
import { termOfWorkflow } from '../../src/engine/ports/memory/workflow-terms.js';
import { until } from '../support/eventually.js';
import type { PostgresParts } from '../../src/postgres.js';
import { startedDatabase, type StartedDatabase } from './support/database.js';

let started: StartedDatabase;
let replicas: PostgresParts[];

beforeEach(async () => {
  started = await startedDatabase();
  replicas = [];
});
afterEach(async () => {
  for (const { memory, store } of replicas) {
    await memory.close();
    await store.close();
  }
  await started.dispose();
});

/** The memory of one more replica. */
function newMemory(): MemoryIndex {
  const parts = started.replica();
  replicas.push(parts);
  return parts.memory;
}

function entryOf(id: string, content: string, namespace: string): MemoryEntry {
  const entry = sampleEntry(id, content, `run of ${namespace}`);
  return { ...entry, metadata: { ...entry.metadata, namespace } };
}

describe('the memory in PostgreSQL', () => {
  it('is new to the first replica that opens it, and to no other', async () => {
    const [one, other] = [newMemory(), newMemory()];
    const opened = await Promise.all([one.open(), other.open()]);
    expect(opened.filter(({ isNew }) => isNew)).toHaveLength(1);
    await expect(newMemory().open()).resolves.toEqual({ isNew: false });
  });

  it('is new again once its tables were emptied', async () => {
    await newMemory().put({ entries: [sampleEntry('a', 'apples')] });
    await started.sql('TRUNCATE @.memory, @.memory_namespaces, @.memory_entries');
    const memory = newMemory();
    await expect(memory.open()).resolves.toEqual({ isNew: true });
    await expect(memory.search({ namespace: 'default', query: 'apples', topK: 1 })).resolves.toEqual([]);
  });

  it('shows every replica what one has put', async () => {
    const [one, other] = [newMemory(), newMemory()];
    await one.put({ entries: [sampleEntry('a', 'apples')] });
    await expect(other.search({ namespace: 'default', query: 'apples', topK: 1 })).resolves.toEqual([
      { ...sampleEntry('a', 'apples'), score: 1 },
    ]);
  });

  it('takes what two replicas put at once', async () => {
    const memories = [newMemory(), newMemory()];
    const entries = Array.from({ length: 200 }, (_, index) => sampleEntry(`n-${index}`, `apples ${index}`));
    await Promise.all([memories[0]!.put({ entries }), memories[1]!.put({ entries: entries.toReversed() })]);
    await expect(
      memories[0]!.search({ namespace: 'default', query: 'apples', topK: 100 }),
    ).resolves.toHaveLength(100);
    await expect(started.sql('SELECT count(*) AS count FROM @.memory_entries')).resolves.toEqual([
      { count: 200 },
    ]);
  });

  it('returns texts that a column cannot hold as they were put', async () => {
    const memory = newMemory();
    const entry: MemoryEntry = {
      id: 'a\0\ud83d',
      content: 'apples \0 \ud83d \u241b0000 "quoted" \\ \'',
      metadata: { runId: 'r\0', 'key\0': '\udc00', nested: { text: "'" } },
    };
    await memory.put({ entries: [entry] });
    await expect(memory.search({ namespace: 'default', query: 'apples', topK: 1 })).resolves.toEqual([
      { ...entry, score: 1 },
    ]);
    await memory.removeRuns({ runIds: ['r\0'] });
    await expect(memory.search({ namespace: 'default', query: 'apples', topK: 1 })).resolves.toEqual([]);
  });

  it('takes a text of very many words, and finds those at its beginning', async () => {
    const memory = newMemory();
    const content = Array.from({ length: 40_000 }, (_, index) => index.toString(36)).join(' ');
    const namespace = 'a'.repeat(63);
    await memory.put({ entries: [entryOf('a', content, namespace)] });
    await expect(memory.search({ namespace, query: '1a', topK: 1 })).resolves.toHaveLength(1);
  });

  it('finds what has every word before what has one, however many newer entries have that', async () => {
    const memory = newMemory();
    await memory.put({ entries: [sampleEntry('both', 'harbour crane report')] });
    const common = Array.from({ length: 5_000 }, (_, index) => sampleEntry(`n-${index}`, `report ${index}`));
    await memory.put({ entries: common });
    const hits = await memory.search({ namespace: 'default', query: 'crane report', topK: 5 });
    expect(hits[0]).toMatchObject({ id: 'both', score: 1 });
    expect(hits).toHaveLength(5);
  });

  it('scores a namespace by what is in it alone', async () => {
    const memory = newMemory();
    await memory.put({
      entries: [
        entryOf('a', 'apples and pears', 'acme'),
        entryOf('b', 'apples', 'acme'),
        entryOf('c', 'pears and plums, and pears again', 'acme'),
      ],
    });
    const search = () => memory.search({ namespace: 'acme', query: 'apples pears', topK: 9 });
    const before = await search();
    expect(before.map(({ id }) => id)).toHaveLength(3);
    const entries = Array.from({ length: 300 }, (_, index) => entryOf(`n-${index}`, 'apples apples', 'zoo'));
    await memory.put({ entries });
    await expect(search()).resolves.toEqual(before);
  });
});

describe('entries that a version before put', () => {
  it('are found by their workflow once a search has asked for it, and until then by nobody who is shown some', async () => {
    const memory = newMemory();
    const entries = Array.from({ length: 1_200 }, (_, n) => sampleEntry(`n-${n}`, `apples ${n}`));
    await memory.put({ entries: [...entries, entryOf('acme', 'apples', 'acme')] });
    // As they were left: without their workflow, and without the word by which it is found.
    await started.sql(
      `UPDATE @.memory_entries SET workflow_id = NULL, words = array_to_tsvector(ARRAY['apples'])
       WHERE namespace = 'default'`,
    );
    const found = async (workflows: readonly string[] | null, namespace = 'default') =>
      (await memory.search({ namespace, workflows, query: 'apples', topK: 100 })).length;
    expect(await found(null)).toBe(100);
    await until(async () => (await found(['invoices'])) === 100, 'entries are found');
    await until(async () => (await left()) === 0, 'none is left');
    expect(await found(['other*'])).toBe(0);
    expect(await found(['inv*'], 'acme')).toBe(1);
  });

  async function left(): Promise<unknown> {
    const [row] = await started.sql(
      'SELECT count(*) AS count FROM @.memory_entries WHERE workflow_id IS NULL',
    );
    return row?.['count'];
  }
});

const ENTRIES = 60_000;

/** Every entry is of everybody; the other words say how many have them. */
const FILL = [
  `INSERT INTO @.memory_namespaces (namespace, newest, terms) VALUES ('default', ${ENTRIES}, ${3 * ENTRIES})`,
  `INSERT INTO @.memory_entries (id, namespace, number, run_id, terms, content, metadata, words)
    SELECT 'default-' || i, 'default', i + 1, 'run of default', 3, 'content', '{}',
      (format('''everybody'':1 ''%s'':1 ''number%s'':1', CASE WHEN i % 2 = 0 THEN 'even' ELSE 'odd' END, i) ||
        CASE WHEN i = 7 THEN ' ''harbour'':1' ELSE '' END)::tsvector
    FROM generate_series(0, ${ENTRIES - 1}) AS i`,
];

describe('a memory of more than fifty thousand entries in PostgreSQL', () => {
  it('ranks by what tells entries apart, and shows the newest where nothing does', async () => {
    const memory = newMemory();
    await memory.open();
    for (const sql of FILL) await started.sql(sql);
    const found = async (query: string, topK = 3, namespace = 'default'): Promise<readonly string[]> =>
      (await memory.search({ namespace, query, topK })).map(({ id }) => id);

    await expect(found('everybody harbour', 1)).resolves.toEqual(['default-7']);
    await expect(found('everybody')).resolves.toEqual(['default-59999', 'default-59998', 'default-59997']);
    await expect(found('harb')).resolves.toEqual(['default-7']);
    await expect(found('number1', 40)).resolves.toHaveLength(40);
    await expect(found('number59999', 1)).resolves.toEqual(['default-59999']);
    // Half of them: no common word yet, and the newest of those that are ranked.
    await expect(found('even')).resolves.toEqual(['default-59998', 'default-59996', 'default-59994']);

    await memory.put({ entries: [entryOf('acme-7', 'everybody harbour', 'acme')] });
    await expect(found('everybody harbour', 3, 'acme')).resolves.toEqual(['acme-7']);
    await memory.removeRuns({ runIds: ['run of acme'] });
    await expect(found('harbour', 3, 'acme')).resolves.toEqual([]);
    await expect(found('harbour')).resolves.toEqual(['default-7']);
  }, 60_000);

  it('ranks what is shown of it by that alone', async () => {
    const memory = newMemory();
    await memory.open();
    for (const sql of FILL) await started.sql(sql);
    const shown = termOfWorkflow('seen', 'default');
    await started.sql(
      `UPDATE @.memory_entries SET workflow_id = CASE WHEN number % 10 = 3 THEN 'hidden' ELSE 'seen' END,
         words = words || CASE WHEN number % 10 = 3 THEN ''::tsvector ELSE array_to_tsvector(ARRAY[$1::text]) END`,
      [shown],
    );
    const found = async (query: string, topK = 3): Promise<readonly string[]> =>
      (await memory.search({ namespace: 'default', workflows: ['see*'], query, topK })).map(({ id }) => id);
    await expect(found('everybody harbour', 1)).resolves.toEqual(['default-7']);
    // Of the 54,000 that are shown each has it: it tells nothing apart.
    await expect(found('everybody')).resolves.toEqual(['default-59999', 'default-59998', 'default-59997']);
    await expect(found('number59992', 1)).resolves.toEqual([]);
    await expect(found('number59991', 1)).resolves.toEqual(['default-59991']);
  });
});
