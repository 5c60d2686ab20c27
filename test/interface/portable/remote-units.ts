import assert from 'node:assert/strict';
import { startUnitServer } from '../../support/unit-server.ts';
import { bound, remote } from '../../support/workflow-documents.ts';
import { completed, has } from '../support/expectations.ts';
import { topic } from '../support/topic.ts';

export const remoteUnits = topic('a remote unit', {
  'is called with input, state and context, the headers of its binding and ours': async (service) => {
    const unit = await startUnitServer({ body: { content: { total: 3 }, state: { seen: '1' } } });
    try {
      const more = { with: { task: 'Extract ${{ input.id }}' }, contextPolicy: { state: ['id'] } };
      const headers = { Authorization: 'Bearer t0ken' };
      const bindings = bound('extract', `${unit.url}/units?v=1`, { headers });
      const id = await service.register([remote('extract', more)], {}, bindings);
      const record = await service.start(id, { input: { id: 'F-7', other: 1 }, sync: true });
      completed(record);
      has(record.result.state, { 'output.extract': { total: 3 }, seen: '1' });
      const [request] = unit.requests;
      assert.deepEqual([request?.method, request?.url], ['POST', '/units?v=1']);
      has(request?.headers, {
        authorization: 'Bearer t0ken',
        'content-type': 'application/json',
        'x-flowgate-run-id': record.runId,
        'x-flowgate-unit-id': 'extract',
        'x-flowgate-attempt': '1',
      });
      const { input, state, context } = JSON.parse(request?.body ?? '');
      assert.deepEqual([input, state], [{ task: 'Extract F-7' }, { id: 'F-7' }]);
      has(context, { workflowId: id, runId: record.runId, unitId: 'extract', attempt: 1 });
    } finally {
      await unit.close();
    }
  },
});
