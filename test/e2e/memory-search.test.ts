import { eventually } from '../support/eventually.js';
import { startService, type Service } from '../support/service.js';
import { document, mock } from '../support/workflow-documents.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const search = (query: string) => service.get(`/memory/search${query}`);
const found = (query: string) =>
  eventually(
    () => search(query),
    ({ body }) => body.results.length > 0,
  );

describe('GET /memory/search', () => {
  it('finds what units returned, best first, and where it was said', async () => {
    await service.register(
      document('talk', [mock('a', 'the quick brown fox'), mock('b', 'a slow brown snail')]),
    );
    const { runId } = await service.start('talk');
    const { status, body } = await eventually(
      () => search('?q=quick%20brown'),
      (answer) => answer.body.results.length === 2,
    );
    expect(status).toBe(200);
    expect(body.results[0]).toEqual({
      id: expect.any(String),
      content: 'the quick brown fox',
      score: expect.any(Number),
      metadata: expect.objectContaining({ workflowId: 'talk', runId, unitId: 'a' }),
    });
    const scores = body.results.map(({ score }: { score: number }) => score);
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
    for (const score of scores) expect(score > 0 && score <= 1).toBe(true);
  });

  it('leaves out the units that opted out', async () => {
    const silent = mock('b', 'heron secret', { contextPolicy: { memory: { record: false } } });
    await service.register(document('discreet', [mock('a', 'heron open'), silent]));
    await service.start('discreet');
    const { body } = await found('?q=heron');
    expect(body.results.map(({ content }: { content: string }) => content)).toEqual(['heron open']);
  });

  it('gives 5 by default, and as many as topK says', async () => {
    const units = Array.from({ length: 8 }, (_, i) => mock(`u${i}`, `walrus number ${i}`));
    await service.register(document('walruses', units));
    await service.start('walruses');
    await eventually(
      () => search('?q=walrus&topK=100'),
      ({ body }) => body.results.length === 8,
    );
    expect((await search('?q=walrus')).body.results).toHaveLength(5);
    expect((await search('?q=walrus&topK=')).status).toBe(400);
    expect((await search('?q=walrus&topK=1')).body.results).toHaveLength(1);
    expect((await search('?q=walrus&topK=100000')).body.results).toHaveLength(8);
  });

  it('without q: 400', async () => {
    const { status, body } = await search('');
    expect([status, body.error]).toEqual([400, expect.stringContaining('q is required')]);
  });

  it.each(['?q=', '?q', '?q=&topK=3'])('%s: 200 with no results', async (query) => {
    expect(await search(query)).toMatchObject({ status: 200, body: { results: [] } });
  });

  it.each(['topK=0', 'topK=-1', 'topK=x', 'topK=1&topK=2', 'topK=NaN', 'topK=%201', 'topK=1e1'])(
    '%s: 400',
    async (query) => {
      const { status, body } = await search(`?q=walrus&${query}`);
      expect([status, body.error]).toEqual([400, expect.stringContaining('topK')]);
    },
  );

  it('with q twice: 400', async () => {
    expect((await search('?q=a&q=b')).status).toBe(400);
  });

  it('with a malformed percent escape: 400', async () => {
    const { status, body } = await search('?q=%zz');
    expect([status, body.error]).toEqual([400, expect.stringContaining('percent')]);
  });

  it.each(['%22', '%22OR%22', '*', 'NEAR(', '%00', '%F0%9F%94%91', 'a'.repeat(10_000), '(((', 'a+b&topK=3'])(
    'accepts odd text: %s',
    async (text) => {
      expect(await search(`?q=${text}`)).toMatchObject({ status: 200, body: { results: expect.any(Array) } });
    },
  );
});
