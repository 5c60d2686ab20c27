import { startService, type Service } from '../support/service.js';
import { document, mock } from '../support/workflow-documents.js';

let service: Service;
let hashes: string[];

const one = document('w', [mock('a', 1), mock('b', 1)]);
const two = document('w', [mock('a', 2), mock('c', 1)]);

beforeAll(async () => {
  service = await startService();
  hashes = [];
  for (const yaml of [one, two]) {
    await service.register(yaml);
    hashes.push((await service.get('/workflows')).body.items[0].definitionHash);
  }
  await service.register(document('from-yaml', [mock('a')]));
});
afterAll(() => service.close());

describe('GET a workflow', () => {
  it('is the version that is registered, or the one of a hash', async () => {
    const current = await service.get('/workflows/w');
    expect([current.status, current.body]).toEqual([
      200,
      {
        definitionHash: hashes[1],
        registeredAt: expect.any(Number),
        current: true,
        workflowId: 'w',
        description: null,
        labels: {},
        units: ['a', 'c'],
        flowType: 'sequential',
        yaml: two,
        inputSchema: null,
        bindings: [],
      },
    ]);
    const first = await service.get(`/workflows/w?hash=${hashes[0]}`);
    expect([first.status, first.body]).toMatchObject([200, { yaml: one, current: false, units: ['a', 'b'] }]);
    expect((await service.get(`/workflows/w/versions/${hashes[0]}`)).body).toEqual(first.body);
  });

  it('may be named like a route', async () => {
    expect((await service.get('/workflows/from-yaml')).body).toMatchObject({ workflowId: 'from-yaml' });
  });

  it('that is long comes in chunks, whole', async () => {
    const yaml = document('long', [mock('a', 'x'.repeat(2_000_000))]);
    await service.register(yaml);
    expect((await service.get('/workflows/long')).body.yaml).toBe(yaml);
  });
});

describe('the versions of a workflow', () => {
  it('are listed newest first, in pages', async () => {
    const all = await service.get('/workflows/w/versions');
    expect(all.body.next).toBeNull();
    expect(
      all.body.items.map(({ definitionHash }: { definitionHash: string }) => definitionHash).sort(),
    ).toEqual([...hashes].sort());
    const first = await service.get('/workflows/w/versions?limit=1');
    const rest = await service.get(`/workflows/w/versions?limit=200&cursor=${first.body.next}`);
    expect([...first.body.items, ...rest.body.items]).toEqual(all.body.items);
    expect(rest.body.next).toBeNull();
  });

  it.each(['limit=0', 'limit=201', 'limit=x', 'cursor=x', 'cursor=', 'limt=1', 'cursors=x'])(
    '?%s is 400, and says what to send',
    async (query) => {
      const { status, body } = await service.get(`/workflows/w/versions?${query}`);
      expect([status, body.code, body.error]).toEqual([
        400,
        'invalid-request',
        expect.stringMatching(/limit|cursor/),
      ]);
      expect((await service.get(`/workflows/nothing/versions?${query}`)).status).toBe(404);
    },
  );

  it('of another workflow are no use for a cursor', async () => {
    const { next } = (await service.get('/workflows/w/versions?limit=1')).body;
    expect((await service.get(`/workflows/from-yaml/versions?cursor=${next}`)).status).toBe(400);
  });
});

describe('the difference of two versions', () => {
  it('is that of the documents and of their units', async () => {
    const { status, body } = await service.get(`/workflows/w/diff?from=${hashes[0]}&to=${hashes[1]}`);
    expect([status, body.units]).toEqual([200, { added: ['c'], removed: ['b'], changed: ['a'] }]);
    expect(body.text).toMatch(new RegExp(`^--- ${hashes[0]}\n\\+\\+\\+ ${hashes[1]}\n@@ `));
  });

  it.each(['', 'from=x', 'to=x', 'from=&to=x', 'form=x&to=y', 'from=x&from=y&to=z'])(
    '?%s is 400',
    async (query) => {
      const { status, body } = await service.get(`/workflows/w/diff?${query}`);
      expect([status, body.error]).toEqual([400, expect.stringMatching(/from|to/)]);
    },
  );
});

describe('what is unknown is 404', () => {
  it.each([
    ['/workflows/nothing', 'unknown-workflow', 'Unknown workflow: nothing'],
    ['/workflows/nothing?hash=x', 'unknown-workflow', 'Unknown workflow: nothing'],
    ['/workflows/nothing/versions', 'unknown-workflow', 'Unknown workflow: nothing'],
    ['/workflows/nothing/versions/x', 'unknown-workflow', 'Unknown workflow: nothing'],
    ['/workflows/nothing/diff', 'unknown-workflow', 'Unknown workflow: nothing'],
    [
      '/workflows/w?hash=x',
      'unknown-version',
      'The workflow w has no version x: GET /workflows/:id/versions',
    ],
    ['/workflows/w?hash=', 'unknown-version', 'The workflow w has no version :'],
    ['/workflows/w/versions/x', 'unknown-version', 'has no version x'],
    [`/workflows/w/versions/${'x'.repeat(3_000)}`, 'unknown-version', `has no version ${'x'.repeat(100)}:`],
    ['/workflows/w/diff?from=x&to=y', 'unknown-version', 'has no version x'],
    ['/workflows/w/diff?from=HASH&to=y', 'unknown-version', 'has no version y'],
    ['/workflows/from-yaml/versions/HASH', 'unknown-version', 'The workflow from-yaml has no version '],
  ])('%s', async (path, code, error) => {
    const { status, body } = await service.get(path.replace('HASH', hashes[0]!));
    expect([status, body]).toEqual([404, { code, error: expect.stringContaining(error) }]);
  });
});
