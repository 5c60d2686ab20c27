import assert from 'node:assert/strict';
import { document, mock } from '../../support/workflow-documents.ts';
import { runsOf } from '../support/caller.ts';
import { completed, refused } from '../support/expectations.ts';
import { each, topic } from '../support/topic.ts';

const LIMIT = 8 * 1024 * 1024;
const filler = (bytes: number): string => `{"x":"${'a'.repeat(bytes - 8)}"}`;

export const bodies = topic('the body of a request', {
  ...each(
    (type) => `is read as JSON when its content type is ${type}`,
    Object.fromEntries(
      [
        'application/json; charset=utf-8',
        'text/plain',
        'text/plain;charset=UTF-8',
        'application/x-www-form-urlencoded',
        'application/octet-stream',
        'application/xml',
      ].map((type) => [type, type]),
    ),
    async (service, type: string) => {
      const id = await service.register([mock('a')]);
      const headers = { 'content-type': type };
      const body = JSON.stringify({ input: { x: 'ü=&1', list: [1, '2'] }, sync: true });
      const answer = await service.post(runsOf(id), body, headers);
      assert.equal(answer.status, 202, answer.text);
      assert.deepEqual([answer.body.result?.state.x, answer.body.result?.state.list], ['ü=&1', [1, '2']]);
      assert.equal((await service.post(runsOf(id), '', headers)).status, 202);
    },
  ),
  'may begin with a byte order mark': async (service) => {
    const id = await service.register([mock('a')]);
    completed((await service.post(runsOf(id), '\uFEFF{"sync":true}')).body);
  },
  ...each(
    (name) => `is 400 in our form when it is ${name}`,
    {
      'a broken object': '{"sync":',
      'a word': 'hello',
      'a form': 'a=1&b=2',
      'two values': '{}{}',
      'bytes that are no UTF-8': new Uint8Array([0x7b, 0xff, 0x7d]),
    } as Record<string, unknown>,
    async (service, body: unknown) => {
      const id = await service.register([mock('a')]);
      refused(await service.post(runsOf(id), body), 400, /not JSON/);
      refused(await service.post('/workflows/from-yaml', body), 400, /not JSON/);
    },
  ),
  'is 400 when it is no object': async (service) => {
    const id = await service.register([mock('a')]);
    for (const body of ['[]', '"x"', '7', 'true', 'null'])
      refused(await service.post(runsOf(id), body), 400, 'The body must be a JSON object');
  },
  'is looked at after an unknown workflow or run': async (service) => {
    refused(await service.post('/workflows/nobody/runs', '{'), 500, 'Unknown workflow: nobody');
    for (const step of ['resume', 'hitl'])
      refused(await service.post(`/workflows/nobody/runs/x/${step}`, '{'), 500, 'Unknown run: x');
  },
  'may be a document of 200 KB': async (service) => {
    const id = service.id('large');
    const yaml = `${document(id, [mock('a')])}\n# ${'x'.repeat(200_000)}`;
    assert.equal(await service.registerText(yaml), id);
    const direct = await service.post('/workflows/from-yaml', yaml, { 'content-type': 'application/yaml' });
    assert.equal(direct.status, 201, direct.text);
  },
  'may have 8 MiB, and is 413 with a byte more': async (service) => {
    const id = await service.register([mock('a')]);
    const answer = await service.post(runsOf(id), filler(LIMIT));
    assert.equal(answer.status, 202, answer.text);
    refused(await service.post(runsOf(id), filler(LIMIT + 1)), 413, new RegExp(String(LIMIT)));
  },
});
