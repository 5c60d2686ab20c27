import { sampleEntry, type MemoryIndexHarness } from './support/contract.js';

const ODD_QUERIES: readonly (readonly [string, string])[] = [
  ['an open quote', '"invoice'],
  ['operators', 'invoice AND OR NOT NEAR(invoice, 2) ^invoice - +'],
  ['column filters', 'content:invoice {a b}: invoice'],
  ['stars and brackets', 'invoice* * ** (invoice (('],
  ['SQL', "invoice'); DROP TABLE memory; --"],
  ['control characters', '\u0000invoice\u0001\u001f\r\n\t'],
  ['half of a surrogate pair', '\ud83d invoice \ude00'],
  ['a megabyte of words', `invoice ${'word '.repeat(200_000)}`],
  [
    'thousands of different words',
    `invoice ${Array.from({ length: 5_000 }, (_, index) => `w${index}`).join(' ')}`,
  ],
  ['words of object prototypes', 'invoice constructor __proto__ toString hasOwnProperty'],
];

export default function searchContract(harness: MemoryIndexHarness): void {
  const search = async (query: string, topK = 5): Promise<readonly string[]> =>
    (await harness.memory.search({ query, topK })).map(({ id }) => id);

  beforeEach(async () => {
    await harness.memory.put({
      entries: [
        sampleEntry('invoice', 'The invoice of March was paid late.'),
        sampleEntry('twice', 'Invoice invoice: both paid.'),
        sampleEntry('weather', 'Rain over the harbour, Größe and café.'),
        sampleEntry('order', '{"orderId":4711,"customer":"Kowalski"}'),
      ],
    });
  });

  it('answers whole entries, best first, with scores from 1 down', async () => {
    const hits = await harness.memory.search({ query: 'invoice march', topK: 5 });
    expect(hits.map(({ id }) => id)).toEqual(['invoice', 'twice']);
    expect(hits[0]).toEqual({ ...sampleEntry('invoice', 'The invoice of March was paid late.'), score: 1 });
    expect(hits[1]!.score).toBeGreaterThan(0);
    expect(hits[1]!.score).toBeLessThanOrEqual(1);
  });

  it.each([
    ['one word of several', 'harbour zzzzz', ['weather']],
    ['another case', 'RAIN', ['weather']],
    ['a word without its accents', 'cafe', ['weather']],
    ['a word with accents', 'größe', ['weather']],
    ['a number', '4711', ['order']],
    ['a word within JSON', 'kowalski', ['order']],
    ['the beginning of a word', 'harb', ['weather']],
    ['no word of any entry', 'zeppelin', []],
    ['an empty query', '', []],
    ['blanks', ' \n\t', []],
    ['signs only', '"*(-)^:{}', []],
  ])('finds by %s', async (_what, query, ids) => {
    await expect(search(query)).resolves.toEqual(ids);
  });

  it.each(ODD_QUERIES)('takes %s as words', async (_what, query) => {
    await expect(search(query)).resolves.toEqual(expect.arrayContaining(['invoice', 'twice']));
  });

  it('answers at most topK', async () => {
    await expect(search('paid', 1)).resolves.toHaveLength(1);
  });

  it('keeps every score above 0 and at most 1 among many entries', async () => {
    const entries = Array.from({ length: 300 }, (_, index) =>
      sampleEntry(
        `many-${index}`,
        `common ${'filler '.repeat(index % 50)} ${index % 7 === 0 ? 'seldom' : ''}`,
      ),
    );
    await harness.memory.put({ entries });
    const hits = await harness.memory.search({ query: 'common seldom', topK: 100 });
    expect(hits).toHaveLength(100);
    expect(hits[0]!.score).toBe(1);
    expect(hits[0]!.content).toContain('seldom');
    for (const [index, { score }] of hits.entries()) {
      expect(score).toBeGreaterThan(0);
      expect(score).toBeLessThanOrEqual(hits[index - 1]?.score ?? 1);
    }
  });
}
