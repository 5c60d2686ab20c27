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
    (await harness.memory.search({ namespace: 'default', query, topK })).map(({ id }) => id);

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

  it('returns whole entries, best first, with scores from 1 down', async () => {
    const hits = await harness.memory.search({ namespace: 'default', query: 'invoice march', topK: 5 });
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

  describe('of scripts that write without blanks', () => {
    beforeEach(async () => {
      await harness.memory.put({
        entries: [
          sampleEntry('tokyo', '発注書は東京都庁に送られました。'),
          sampleEntry('kyoto', '京都の納品書'),
          sampleEntry('beijing', '北京市的发票已经付款'),
          sampleEntry('coffee', 'コーヒーとパンを買う'),
          sampleEntry('seoul', '서울에서 보낸 청구서'),
          sampleEntry('thai', 'ใบแจ้งหนี้เดือนมีนาคม'),
          sampleEntry('mixed', 'RFC2119を読む'),
        ],
      });
    });

    it.each([
      ['a word of two characters', '東京', ['tokyo']],
      ['a word inside a sentence', '都庁', ['tokyo']],
      ['one character', '庁', ['tokyo']],
      ['one character at the end of a run', '書', ['kyoto', 'tokyo']],
      ['a longer word', '发票', ['beijing']],
      ['katakana', 'コーヒー', ['coffee']],
      ['katakana of half width', 'ｺｰﾋｰ', ['coffee']],
      ['hiragana', '読む', ['mixed']],
      ['a Latin word beside them', 'rfc2119', ['mixed']],
      ['hangul', '청구서', ['seoul']],
      ['thai', 'มีนาคม', ['thai']],
      ['two neighbours that stand nowhere', '庁京', []],
    ])('finds by %s', async (_what, query, ids) => {
      expect([...(await search(query))].sort()).toEqual(ids);
    });

    it('has first what has the whole word', async () => {
      expect((await search('京都の納品書'))[0]).toBe('kyoto');
      expect((await search('東京都'))[0]).toBe('tokyo');
    });
  });

  describe('in a namespace', () => {
    const entryOf = (id: string, content: string, namespace: string): ReturnType<typeof sampleEntry> => {
      const entry = sampleEntry(id, content, `run of ${namespace}`);
      return { ...entry, metadata: { ...entry.metadata, namespace } };
    };
    const searchIn = async (namespace: string, query: string): Promise<readonly string[]> =>
      (await harness.memory.search({ namespace, query, topK: 9 })).map(({ id }) => id);

    beforeEach(async () => {
      await harness.memory.put({
        entries: [
          entryOf('theirs', 'The invoice of acme, 東京', 'acme'),
          entryOf('others', 'The invoice of acme-2', 'acme-2'),
        ],
      });
    });

    it('finds what is in it, and nothing else', async () => {
      await expect(searchIn('acme', 'invoice')).resolves.toEqual(['theirs']);
      await expect(searchIn('acme-2', 'invoice')).resolves.toEqual(['others']);
      await expect(searchIn('acme', '東京')).resolves.toEqual(['theirs']);
      await expect(searchIn('nobody', 'invoice')).resolves.toEqual([]);
      expect([...(await searchIn('default', 'invoice'))].sort()).toEqual(['invoice', 'twice']);
    });

    it.each(['acme', 'acme-2', 'acm', '61636d65', '\uE000', 'namespace'])(
      'shows nothing of it to others by the query %j',
      async (query) => {
        await expect(searchIn('default', query)).resolves.toEqual([]);
        await expect(searchIn('acm', query)).resolves.toEqual([]);
      },
    );

    it('scores as if there were no other', async () => {
      const scores = async (): Promise<readonly number[]> =>
        (await harness.memory.search({ namespace: 'acme-2', query: 'invoice acme', topK: 9 })).map(
          ({ score }) => score,
        );
      await harness.memory.put({
        entries: [
          entryOf('more', 'An invoice, and an invoice, of nobody', 'acme-2'),
          entryOf('one', 'acme', 'acme-2'),
        ],
      });
      const before = await scores();
      expect(before).toHaveLength(3);
      const longer = 'invoice of acme '.repeat(50);
      await harness.memory.put({
        entries: Array.from({ length: 60 }, (_, index) =>
          entryOf(`n${index}`, longer, index % 2 === 0 ? 'acme' : 'acme-3'),
        ),
      });
      await expect(scores()).resolves.toEqual(before);
    });

    it('forgets its runs as any namespace does', async () => {
      await harness.memory.removeRuns({ runIds: ['run of acme'] });
      await expect(searchIn('acme', 'invoice')).resolves.toEqual([]);
      await expect(searchIn('acme-2', 'invoice')).resolves.toEqual(['others']);
    });

    it('moves an entry that is put again under another', async () => {
      await harness.memory.put({ entries: [entryOf('theirs', 'The invoice', 'acme-2')] });
      await expect(searchIn('acme', 'invoice')).resolves.toEqual([]);
      expect([...(await searchIn('acme-2', 'invoice'))].sort()).toEqual(['others', 'theirs']);
    });
  });

  describe('of some workflows', () => {
    const entryOf = (id: string, content: string, workflowId: string): ReturnType<typeof sampleEntry> => {
      const entry = sampleEntry(id, content, `run of ${workflowId}`);
      return { ...entry, metadata: { ...entry.metadata, workflowId, namespace: 'acme' } };
    };
    const hitsOf = (workflows: readonly string[] | null, query: string, topK = 9) =>
      harness.memory.search({ namespace: 'acme', workflows, query, topK });
    const searchOf = async (...given: Parameters<typeof hitsOf>): Promise<readonly string[]> =>
      (await hitsOf(...given)).map(({ id }) => id);

    beforeEach(async () => {
      await harness.memory.put({
        entries: [
          entryOf('a', 'An invoice of March', 'bill'),
          entryOf('b', 'An invoice, an invoice, 東京', 'bill-late'),
          entryOf('c', 'The invoice of a harbour', 'ship'),
          entryOf('d', 'A harbour', 'ship'),
        ],
      });
    });

    it.each([
      ['all', null, ['a', 'b', 'c']],
      ['one', ['bill'], ['a']],
      ['those that begin alike', ['bill*'], ['a', 'b']],
      ['several', ['bill', 'ship'], ['a', 'c']],
      ['all, by a pattern', ['*'], ['a', 'b', 'c']],
      ['one that is the beginning of another', ['bil'], []],
      ['one that there is not', ['nobody*'], []],
      ['very many', Array.from({ length: 300 }, (_, n) => (n === 7 ? 'ship' : `w${n}`)), ['c']],
      ['none', [], []],
    ])('finds those of %s', async (_what, workflows, ids) => {
      expect([...(await searchOf(workflows, 'invoice'))].sort()).toEqual(ids);
    });

    it('finds by beginnings of words and in scripts without blanks, and has nothing for no word', async () => {
      await expect(searchOf(['ship'], 'harb')).resolves.toHaveLength(2);
      await expect(searchOf(['bill*'], '東京')).resolves.toEqual(['b']);
      await expect(searchOf(['bill*'], ' ')).resolves.toEqual([]);
    });

    it('has first what has the words more often, or has the rarer one, with scores from 1 down', async () => {
      await expect(searchOf(['bill*'], 'invoice')).resolves.toEqual(['b', 'a']);
      const hits = await hitsOf(['*'], 'invoice harbour');
      expect(hits.map(({ id }) => id)[0]).toBe('c');
      expect(hits[0]?.score).toBe(1);
      for (const { score } of hits) expect(score > 0 && score <= 1).toBe(true);
      expect(hits[0]).toEqual({ ...entryOf('c', 'The invoice of a harbour', 'ship'), score: 1 });
    });

    it('finds what is shown among any number of better ones that are not', async () => {
      const better = 'invoice '.repeat(9);
      await harness.memory.put({
        entries: Array.from({ length: 150 }, (_, n) => entryOf(`n${n}`, better, 'hidden')),
      });
      await expect(searchOf(['bill'], 'invoice', 1)).resolves.toEqual(['a']);
    });

    it('ranks and scores as if there were no others', async () => {
      const query = 'invoice of harbour march';
      const before = await hitsOf(['bill*', 'ship'], query);
      expect(before).toHaveLength(4);
      await harness.memory.put({
        entries: Array.from({ length: 60 }, (_, n) =>
          entryOf(
            `n${n}`,
            n % 2 === 0 ? 'harbour harbours of march '.repeat(50) : 'invoice',
            `hidden-${n % 3}`,
          ),
        ),
      });
      await expect(hitsOf(['bill*', 'ship'], query)).resolves.toEqual(before);
    });

    it('forgets runs, and follows what is put again', async () => {
      await harness.memory.put({ entries: [entryOf('a', 'An invoice of May', 'ship')] });
      await expect(searchOf(['bill'], 'invoice')).resolves.toEqual([]);
      expect([...(await searchOf(['ship'], 'invoice'))].sort()).toEqual(['a', 'c']);
      await harness.memory.removeRuns({ runIds: ['run of ship'] });
      await expect(searchOf(['ship'], 'invoice')).resolves.toEqual([]);
    });

    it('has nothing of another namespace', async () => {
      const hits = await harness.memory.search({
        namespace: 'default',
        workflows: ['bill*'],
        query: 'invoice',
        topK: 9,
      });
      expect(hits).toEqual([]);
    });
  });

  it.each(ODD_QUERIES)('takes %s as words of some workflows too', async (_what, query) => {
    const hits = await harness.memory.search({
      namespace: 'default',
      workflows: ['inv*'],
      query,
      topK: 5,
    });
    expect(hits.map(({ id }) => id)).toEqual(expect.arrayContaining(['invoice', 'twice']));
  });

  it.each(ODD_QUERIES)('takes %s as words', async (_what, query) => {
    await expect(search(query)).resolves.toEqual(expect.arrayContaining(['invoice', 'twice']));
  });

  it('returns at most topK', async () => {
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
    const hits = await harness.memory.search({ namespace: 'default', query: 'common seldom', topK: 100 });
    expect(hits).toHaveLength(100);
    expect(hits[0]!.score).toBe(1);
    expect(hits[0]!.content).toContain('seldom');
    for (const [index, { score }] of hits.entries()) {
      expect(score).toBeGreaterThan(0);
      expect(score).toBeLessThanOrEqual(hits[index - 1]?.score ?? 1);
    }
  });
}
