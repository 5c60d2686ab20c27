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
  it('leaves out the units that opted out', async () => {
    const silent = mock('b', 'heron secret', { contextPolicy: { memory: { record: false } } });
    await service.register(document('discreet', [mock('a', 'heron open'), silent]));
    await service.start('discreet');
    const { body } = await found('?q=heron');
    expect(body.results.map(({ content }: { content: string }) => content)).toEqual(['heron open']);
  });

  it.each(['?q', '?q=&topK=3'])('%s: 200 with no results', async (query) => {
    expect(await search(query)).toMatchObject({ status: 200, body: { results: [] } });
  });

  it.each(['topK=NaN', 'topK=%201', 'topK=1e1'])('%s: 400', async (query) => {
    const { status, body } = await search(`?q=walrus&${query}`);
    expect([status, body.error]).toEqual([400, expect.stringContaining('topK')]);
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
