import assert from 'node:assert/strict';
import { refused } from '../support/expectations.ts';
import { topic } from '../support/topic.ts';

const ALLOWED = {
  'POST /health': 'GET, HEAD',
  'DELETE /workflows': 'GET, HEAD',
  'PUT /workflows/from-yaml': 'GET, HEAD, POST, DELETE',
  'PUT /workflows/x/runs': 'POST, GET, HEAD',
  'PATCH /workflows/x/runs/y/hitl': 'POST',
  'POST /memory/search': 'GET, HEAD',
};

/** In a host these are the host's to answer. */
export const pathsAndMethods = topic('a path or method that nothing answers to', {
  'is 404 in our form': async (service) => {
    for (const path of ['/nothing', '/workflows/x/runs/y/z'])
      refused(await service.get(path), 404, new RegExp(path));
  },
  'is 405 in our form, and says what is allowed': async (service) => {
    for (const [request, allowed] of Object.entries(ALLOWED)) {
      const [method = '', path = ''] = request.split(' ');
      const answer = await service.call(method, path);
      refused(answer, 405, new RegExp(method));
      assert.deepEqual([request, answer.headers.get('allow')], [request, allowed]);
    }
  },
  'is 400 where an escape of the path is malformed': async (service) => {
    for (const path of ['/workflows/%zz/runs', '/workflows/%E0%A4%A/runs'])
      refused(await service.post(path, {}), 400, /./);
  },
  'answers HEAD as GET, without a body': async (service) => {
    const { status, text } = await service.call('HEAD', '/health');
    assert.deepEqual([status, text], [200, '']);
  },
});
