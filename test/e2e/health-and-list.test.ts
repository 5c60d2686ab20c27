import { readFileSync } from 'node:fs';
import { startService, type Service } from '../support/service.js';
import { document, gate, mock } from '../support/workflow-documents.js';

const packageJson = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

describe('GET /health', () => {
  it('is 200 with ok, the ids of the workflows, the version and the figures', async () => {
    await service.register(document('first', [mock('a')]));
    await service.register(document('second', [mock('a')]));
    const { status, body, headers } = await service.get('/health');
    expect(status).toBe(200);
    expect(body).toEqual({
      ok: true,
      workflows: ['first', 'second'],
      version: packageJson.version,
      memory: { behind: 0 },
      undecided: 0,
      stalled: 0,
    });
    expect(headers['content-type']).toMatch(/^application\/json/);
  });

  it('names no workflows when none is registered', async () => {
    expect((await service.get('/health')).body).toMatchObject({ ok: true, workflows: [] });
  });

  it('does not name the software that serves it', async () => {
    const { headers } = await service.get('/health');
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('etag');
  });
});

describe('GET /workflows', () => {
  it('is empty at first', async () => {
    const { status, body } = await service.get('/workflows');
    expect([status, body]).toEqual([200, { workflows: [], items: [] }]);
  });

  it('lists every workflow with what it is made of', async () => {
    const before = Date.now();
    const yaml = JSON.parse(document('pay', [mock('a'), gate('b')])) as { metadata: object };
    yaml.metadata = { id: 'pay', description: 'Pays.', labels: { team: 'finance' } };
    await service.register(JSON.stringify(yaml));
    await service.register(document('plain', [mock('a')]));
    const { body } = await service.get('/workflows');
    expect(body.workflows).toEqual(['pay', 'plain']);
    expect(body.items).toEqual([
      {
        workflowId: 'pay',
        description: 'Pays.',
        labels: { team: 'finance' },
        definitionHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        registeredAt: expect.any(Number),
        units: ['a', 'b'],
        flowType: 'sequential',
      },
      expect.objectContaining({ workflowId: 'plain', description: null, labels: {} }),
    ]);
    expect(body.items[0].registeredAt).toBeGreaterThanOrEqual(before);
  });
});
