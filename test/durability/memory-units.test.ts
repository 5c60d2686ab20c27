import type { JsonObject, MemoryIndex, RunRecord } from '../../src/engine/index.js';
import { SqliteMemoryIndex } from '../../src/storage/sqlite/sqlite-memory-index.js';
import { builtWorkers } from '../support/built-worker.js';
import { DurableEngines, type DurableEngine } from '../support/durability-engine.js';
import { until } from '../support/eventually.js';
import { inSequence, workflowYaml } from '../support/engine.js';

const HOUR_MS = 3_600_000;
const engines = new DurableEngines();
afterEach(() => engines.clear());

interface Opened extends DurableEngine {
  readonly memory: MemoryIndex;
  /** The ids of the entries that were put, in order. */
  readonly puts: readonly string[];
}

/** An engine with both of its files in the folder. */
async function open(folder = engines.folder(), options: object = {}): Promise<Opened> {
  const memory = new SqliteMemoryIndex({ folder, workers: builtWorkers });
  const puts: string[] = [];
  const put = memory.put.bind(memory);
  memory.put = async (request) => {
    await put(request);
    puts.push(...request.entries.map(({ id }) => id));
  };
  return { ...(await engines.open(folder, {}, { memory, ...options })), memory, puts };
}

const put = (config: JsonObject, more: object = {}) => ({
  id: 'put',
  uses: 'builtin.memory-put',
  config,
  ...more,
});
const search = (config: JsonObject, more: object = {}) => ({
  id: 'search',
  uses: 'builtin.memory-search',
  config,
  ...more,
});

async function run(
  { engine }: DurableEngine,
  units: readonly object[],
  { input = {}, namespace }: { readonly input?: JsonObject; readonly namespace?: string } = {},
): Promise<RunRecord> {
  const within = namespace === undefined ? {} : { namespace };
  await engine.workflows.register({
    yaml: inSequence('w', units, { policy: { retry: { maxAttempts: 1 } } }),
    ...within,
  });
  return engine.runs.start({ workflowId: 'w', input, sync: true, ...within });
}

const outputs = ({ result }: RunRecord) => result?.state ?? {};

describe('what builtin.memory-put puts into the memory', () => {
  it('is found by the next unit, with who put it and when', async () => {
    const opened = await open();
    const record = await run(
      opened,
      [
        put({ content: '${{ input.text }}', metadata: { topic: 'birds', runId: 'a lie' } }),
        search({ query: 'pelicans' }, { with: { topK: 3 } }),
      ],
      { input: { text: 'Pelicans nest in colonies' } },
    );
    const { 'output.put': kept, 'output.search': found } = outputs(record);
    expect(kept).toEqual({ id: expect.stringMatching(new RegExp(`^${record.runId}:`)) });
    expect(found).toEqual({
      results: [
        {
          id: (kept as JsonObject)['id'],
          content: 'Pelicans nest in colonies',
          score: 1,
          metadata: {
            topic: 'birds',
            workflowId: 'w',
            runId: record.runId,
            unitId: 'put',
            at: expect.any(Number),
          },
        },
      ],
    });
  });

  it('may be any value, which is kept as its JSON text', async () => {
    const record = await run(await open(), [
      put({ content: { bird: 'pelican', legs: 2 } }),
      search({ query: 'pelican' }),
    ]);
    expect(outputs(record)['output.search']).toMatchObject({
      results: [{ content: '{"bird":"pelican","legs":2}' }],
    });
  });

  it('is of the namespace of the run, whatever its metadata says', async () => {
    const opened = await open();
    const theirs = { namespace: 'acme' };
    await run(opened, [put({ content: 'a pelican', metadata: { namespace: 'acme' } })]);
    await run(opened, [put({ content: 'a heron', metadata: { namespace: 'default' } })], theirs);
    const inAcme = await run(opened, [search({ query: 'pelican heron' })], theirs);
    expect(outputs(inAcme)['output.search']).toMatchObject({ results: [{ content: 'a heron' }] });
    const inDefault = await run(opened, [search({ query: 'pelican heron' })]);
    expect(outputs(inDefault)['output.search']).toMatchObject({ results: [{ content: 'a pelican' }] });
  });

  it('replaces itself where it is put again after a crash', async () => {
    const folder = engines.folder();
    const first = await open(folder);
    const kept = first.memory.put;
    let copy = '';
    first.memory.put = async (request) => {
      await kept(request);
      // The process dies between the effect of the unit and the append of its outcome.
      copy = engines.afterCrash(folder);
    };
    const record = await run(first, [put({ content: 'a pelican' })]);
    expect(record.status).toBe('completed');

    const second = await open(copy);
    const address = { workflowId: 'w', runId: record.runId };
    await until(async () => {
      await second.clock.advance(100);
      return (await second.engine.runs.get(address)).status === 'completed';
    }, 'the run is completed');
    const hits = await second.memory.search({ namespace: 'default', query: 'pelican', topK: 10 });
    expect(hits).toHaveLength(1);
    expect(second.puts).toEqual([hits[0]!.id]);
    expect(first.puts).toEqual(second.puts);
  });

  it('is forgotten with its run', async () => {
    const opened = await open(engines.folder(), { retentionMs: 30 * HOUR_MS });
    await run(opened, [put({ content: 'a pelican' })]);
    const found = () => opened.memory.search({ namespace: 'default', query: 'pelican', topK: 10 });
    expect(await found()).toHaveLength(1);
    await opened.clock.advance(31 * HOUR_MS);
    await until(async () => {
      await opened.clock.advance(HOUR_MS);
      return (await found()).length === 0;
    }, 'the run is purged');
  });

  it('and what was found is not remembered once more, unless the author says so', async () => {
    const opened = await open();
    await opened.engine.workflows.register({
      yaml: workflowYaml('w', {
        units: [
          put({ content: 'a pelican' }),
          search({ query: 'pelican' }),
          search({ query: 'pelican' }, { id: 'again', contextPolicy: { memory: { record: true } } }),
          { id: 'last', uses: 'builtin.mock', config: { response: 'the last pelican' } },
        ],
        flow: { type: 'sequential' },
      }),
    });
    await opened.engine.runs.start({ workflowId: 'w', sync: true });
    let unitIds: readonly unknown[] = [];
    await until(async () => {
      await opened.clock.advance(100);
      const hits = await opened.memory.search({ namespace: 'default', query: 'pelican', topK: 10 });
      unitIds = hits.map(({ metadata }) => metadata['unitId']).toSorted();
      return unitIds.includes('last');
    }, 'the last output is remembered');
    expect(unitIds).toEqual(['again', 'last', 'put']);
  });
});

const TOP_K = 'builtin.memory-search: topK must be a whole number ';

describe('a unit of the memory', () => {
  it.each([
    ['builtin.memory-search: query must be a text: write what to look for', search({ query: { a: 1 } })],
    ['builtin.memory-search: query must be a text: ', search({ query: '${{ input.nothing }}' })],
    [`${TOP_K}from 1 to 100`, search({ query: 'a', topK: 0 })],
    [`${TOP_K}from 1 to 100`, search({ query: 'a', topK: 101 })],
    [`${TOP_K}from 1 to 100`, search({ query: 'a', topK: 1.5 })],
    [`${TOP_K}from 1 to 100`, search({ query: 'a', topK: '5' })],
    ['builtin.memory-put: content is empty: give it the text', put({ content: '' })],
    ['builtin.memory-put: content is empty: give it the text', put({ content: null })],
    [
      'builtin.memory-put: content is 16385 characters long, and an entry has at most 16384: put a summary of it, or parts of it one by one',
      put({ content: 'x'.repeat(16_385) }),
    ],
    ['builtin.memory-put: metadata must be an object', put({ content: 'a', metadata: ['b'] })],
    [
      'builtin.memory-put: metadata is 5008 characters long as JSON, and may have 4096',
      put({ content: 'a', metadata: { b: 'x'.repeat(5_000) } }),
    ],
  ])('fails with the sentence: %s', async (sentence, unit) => {
    const { status, error } = await run(await open(), [unit], { input: { nothing: null } });
    expect([status, error]).toEqual(['failed', expect.stringContaining(sentence)]);
  });

  it.each([
    ['needs query', search({})],
    ['needs content', put({})],
    ['has no setting limit: its settings are query, topK', search({ query: 'a', limit: 5 })],
  ])('whose settings are not those of the language is refused: it %s', async (problem, unit) => {
    const { engine } = await open();
    await expect(engine.workflows.register({ yaml: inSequence('w', [unit]) })).rejects.toThrow(problem);
  });

  it('is retried where the memory cannot do it now', async () => {
    const opened = await open();
    let tries = 0;
    const real = opened.memory.put.bind(opened.memory);
    opened.memory.put = async (request) => {
      tries += 1;
      if (tries === 1) throw new Error('the disk is full');
      await real(request);
    };
    await opened.engine.workflows.register({
      yaml: inSequence('w', [put({ content: 'a pelican' })], {
        policy: { retry: { maxAttempts: 2, baseMs: 0 } },
      }),
    });
    expect(await opened.engine.runs.start({ workflowId: 'w', sync: true })).toMatchObject({
      status: 'completed',
    });
    expect(tries).toBeGreaterThanOrEqual(2);
  });
});
