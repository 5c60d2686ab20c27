import assert from 'node:assert/strict';
import { bound, document, mock, remote } from '../../support/workflow-documents.ts';
import type { Caller } from '../support/caller.ts';
import { has, refused } from '../support/expectations.ts';
import { each, topic } from '../support/topic.ts';

const register = (service: Caller, body: unknown, headers?: Record<string, string>) =>
  service.post('/workflows/from-yaml', body, headers);

export const registration = topic('POST /workflows/from-yaml', {
  'is 201 with the id and a note that the registry is in memory': async (service) => {
    const id = service.id('plain');
    const { status, body } = await register(service, { yaml: document(id, [mock('a')]) });
    assert.deepEqual([status, body.workflowId], [201, id]);
    assert.match(body.note, /memory.*register.*again after the service restarts/i);
    assert.equal('warnings' in body, false);
  },
  'says what is odd in a document': async (service) => {
    const flow = { type: 'sequential', order: ['a'] };
    const yaml = document(service.id('odd'), [mock('a'), mock('spare')], { flow });
    const { status, body } = await register(service, { yaml });
    assert.equal(status, 201);
    assert.match(body.warnings.join(), /spare/);
  },
  'takes the same document again, and a changed one for later runs': async (service) => {
    const id = service.id('changed');
    for (const response of ['old', 'old', 'new'])
      assert.equal((await register(service, { yaml: document(id, [mock('a', response)]) })).status, 201);
    assert.equal((await service.start(id)).result.state['output.a'], 'new');
    const { body } = await service.get('/workflows');
    assert.equal(body.workflows.filter((name: string) => name === id).length, 1);
  },
  'takes null for bindings, and ignores fields that it does not know': async (service) => {
    const yaml = document(service.id('bare'), [mock('a')]);
    assert.equal((await register(service, { yaml, bindings: null, extra: 1 })).status, 201);
  },
  'takes a document with CRLF, comments and characters of every script': async (service) => {
    const id = service.id('crlf');
    const lines = [
      '# Grüße 鍵 🔑',
      'apiVersion: flowgate/v1',
      'kind: Workflow',
      `metadata: { id: ${id} }`,
      'spec:',
      "  units: [{ id: a, uses: builtin.mock, config: { response: 'Grüße 鍵 🔑' } }]",
      '  flow: { type: sequential, order: [a] }',
    ];
    assert.equal((await register(service, { yaml: lines.join('\r\n') })).status, 201);
    assert.equal((await service.start(id)).result.state['output.a'], 'Grüße 鍵 🔑');
  },
  'takes the document itself as the body': async (service) => {
    for (const type of [
      'application/yaml',
      'application/x-yaml',
      'text/yaml; charset=utf-8',
      'text/x-yaml',
    ]) {
      const id = service.id('direct');
      const yaml = document(id, [mock('a', 'Grüße')]);
      const { status, body } = await register(service, yaml, { 'content-type': type });
      assert.deepEqual([type, status, body.workflowId], [type, 201, id]);
      assert.equal((await service.start(id)).result.state['output.a'], 'Grüße');
    }
  },
  ...each(
    (name) => `is 400 and says that body.yaml is required when it is ${name}`,
    {
      missing: {},
      null: { yaml: null },
      empty: { yaml: '' },
      blank: { yaml: ' \n\t' },
      'a number': { yaml: 7 },
      'an object': { yaml: {} },
      'in no body': undefined,
    },
    async (service, body: unknown) => {
      const answer = await register(service, body);
      refused(answer, 400, 'body.yaml (string) is required');
      assert.equal('type' in answer.body, false);
    },
  ),
  ...each(
    (name) => `is 400 YamlValidationError for a document that ${name}`,
    {
      'is not YAML': 'a: [',
      'breaks the schema': 'apiVersion: flowgate/v1',
      'is of another version': document('v9', [mock('a')]).replace('flowgate/v1', 'other/v9'),
    },
    async (service, yaml: string) => {
      const answer = await register(service, { yaml });
      refused(answer, 400, /./);
      assert.equal(answer.body.type, 'YamlValidationError');
      has(Object.keys(answer.body.details[0]), ['path', 'line', 'column', 'message']);
    },
  ),
  ...each(
    (name) => `is 400 YamlLoadError for a document that ${name}`,
    {
      'uses what nobody answers to': document('unbound', [remote('extract')]),
      'names a unit that is not there': document('x', [mock('a')], {
        flow: { type: 'sequential', order: ['b'] },
      }),
      'has an expression that does not compile': document('x', [mock('a', 1, { if: '1 +' })]),
    },
    async (service, yaml: string) => {
      const answer = await register(service, { yaml });
      refused(answer, 400, /./);
      assert.equal(answer.body.type, 'YamlLoadError');
    },
  ),
  ...each(
    (name) => `is 400 YamlLoadError for bindings ${name}`,
    {
      'that are no object': 'x',
      'of another type': { 'acme.extract': { type: 'grpc', endpoint: 'http://127.0.0.1/' } },
      'without an endpoint': { 'acme.extract': { type: 'http' } },
      'with an address that is none': bound('extract', 'nowhere'),
      'with headers that are no strings': bound('extract', 'http://127.0.0.1/', { headers: { a: 1 } }),
      'with a field that does not exist': bound('extract', 'http://127.0.0.1/', { colour: 'red' }),
    },
    async (service, bindings: unknown) => {
      const answer = await register(service, { yaml: document('bad', [remote('extract')]), bindings });
      refused(answer, 400, /./);
      assert.equal(answer.body.type, 'YamlLoadError');
    },
  ),
  'says what is meant by a field that is nearly one of ours': async (service) => {
    const yaml = document(service.id('unborn'), [mock('a')]);
    refused(
      await register(service, { yaml, binding: {} }),
      400,
      /binding is no field .* did you mean bindings\?/,
    );
  },
});
