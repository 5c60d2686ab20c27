import assert from 'node:assert/strict';
import { document, gate, mock } from '../../support/workflow-documents.ts';
import { has } from '../support/expectations.ts';
import { topic } from '../support/topic.ts';

export const health = topic('GET /health', {
  'answers 200 with ok, the version and the ids of the workflows': async (service) => {
    const id = await service.register([mock('a')]);
    const { status, body, headers } = await service.get('/health');
    assert.equal(status, 200);
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
    assert.equal(body.ok, true);
    assert.match(body.version, /^\d+\.\d+\.\d+/);
    // A probe needs no key, so that where keys are asked for it names no workflow.
    assert.equal((body.workflows ?? []).includes(id), !service.asksWho);
  },
  'has a probe for life and one for readiness': async (service) => {
    for (const path of ['/health/live', '/health/ready']) {
      const { status, body } = await service.get(path);
      assert.deepEqual([path, status, body], [path, 200, { ok: true }]);
    }
  },
});

export const listing = topic('GET /workflows', {
  'lists every workflow with what it is made of': async (service) => {
    const before = Date.now();
    const id = service.id('described');
    const yaml = JSON.parse(document(id, [mock('a'), gate('b')])) as { metadata: object };
    yaml.metadata = { id, description: 'Pays.', labels: { team: 'finance' } };
    await service.registerText(JSON.stringify(yaml));
    const { status, body } = await service.get('/workflows');
    assert.equal(status, 200);
    assert.ok(body.workflows.includes(id));
    const item = body.items.find(({ workflowId }: { workflowId: string }) => workflowId === id);
    has(item, {
      workflowId: id,
      description: 'Pays.',
      labels: { team: 'finance' },
      units: ['a', 'b'],
      flowType: 'sequential',
    });
    assert.match(item.definitionHash, /^[0-9a-f]{64}$/);
    assert.ok(item.registeredAt >= before - 1_000);
  },
});

export const schema = topic('GET /schemas/workflow.v1.json', {
  'is the schema of documents': async (service) => {
    const { status, body, headers } = await service.get('/schemas/workflow.v1.json');
    assert.equal(status, 200);
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
    assert.equal(body.$schema, 'https://json-schema.org/draft/2020-12/schema');
  },
  'is 304 for who has it': async (service) => {
    const first = await service.get('/schemas/workflow.v1.json');
    const etag = first.headers.get('etag') ?? '';
    const again = await service.call('GET', '/schemas/workflow.v1.json', undefined, {
      'if-none-match': etag,
    });
    assert.deepEqual([again.status, again.text], [304, '']);
  },
});
