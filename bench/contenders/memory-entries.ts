// The SQLite memory with many entries. Arguments: how many, and an empty folder. Each is about a dozen words: common ones that every second
// entry has, ones of a vocabulary of 5,000 of which some are far more frequent than others, and one that ten entries have.
import { SqliteMemoryIndex } from '../../dist/index.js';
import { answerParent } from '../support/child.ts';
import { percentile } from '../support/statistics.ts';

export interface SearchTimes {
  /** ms. */
  readonly p50: number;
  readonly p99: number;
}

export interface MemoryAnswer {
  readonly selective: SearchTimes;
  readonly common: SearchTimes;
}

const COMMON = ['invoice', 'customer', 'order', 'payment', 'delivery', 'account', 'contract', 'approval'];
const VOCABULARY = 5_000;
const WORDS = 8;
const ENTRIES_PER_REFERENCE = 10;
const BATCH = 1_000;
/** As many as a few seconds let through, so that slow ones do not take hours. */
const SEARCHES = { least: 50, most: 200, withinMs: 4_000 };

const count = Number(process.argv[2] ?? 1_000);
const folder = process.argv[3] ?? '';
const index = new SqliteMemoryIndex({ folder });
await index.open();

// A generator of its own, so that every run of the benchmark has the same entries.
let seed = 42;
function random(): number {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
}

for (let from = 0; from < count; from += BATCH) {
  const length = Math.min(BATCH, count - from);
  await index.put({ entries: Array.from({ length }, (_, offset) => entry(from + offset)) });
}

answerParent<object, MemoryAnswer>(
  async () => ({
    selective: await times(() => referenceOf(Math.floor(random() * count))),
    common: await times(() => `${oneOf(COMMON)} ${oneOf(COMMON)}`),
  }),
  () => index.close(),
);

function entry(number: number) {
  const words = COMMON.filter(() => random() < 0.5);
  for (let word = 0; word < WORDS; word++) words.push(`word${Math.floor(VOCABULARY * random() ** 3)}`);
  const runId = `run-${Math.floor(number / 3)}`;
  return {
    id: `entry-${number}`,
    content: [...words, referenceOf(number)].join(' '),
    metadata: { workflowId: 'three', runId, unitId: 'a', at: 1_700_000_000_000 + number },
  };
}

/** Of one length, because a query finds words by their beginning. */
function referenceOf(number: number): string {
  return `ref${String(Math.floor(number / ENTRIES_PER_REFERENCE)).padStart(9, '0')}`;
}

function oneOf(words: readonly string[]): string {
  return words[Math.floor(random() * words.length)] ?? '';
}

async function times(query: () => string): Promise<SearchTimes> {
  const took: number[] = [];
  const end = performance.now() + SEARCHES.withinMs;
  while (took.length < SEARCHES.least || (took.length < SEARCHES.most && performance.now() < end)) {
    const before = performance.now();
    const hits = await index.search({ namespace: 'default', query: query(), topK: 10 });
    took.push(performance.now() - before);
    if (hits.length === 0) throw new Error('A search found nothing.');
  }
  return { p50: percentile(took, 0.5), p99: percentile(took, 0.99) };
}
