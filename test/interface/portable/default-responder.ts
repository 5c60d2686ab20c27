import assert from 'node:assert/strict';
import { gate } from '../../support/workflow-documents.ts';
import { topic } from '../support/topic.ts';

/** Not of a host that knows who is asking: there the acting person is the responder. */
export const defaultResponder = topic('the responder of a decision that names none', {
  'is user': async (service) => {
    for (const more of [{}, { responder: null, comment: null, gateId: null }]) {
      const { body } = await service.respond(await service.run([gate('agree')]), { approved: true, ...more });
      assert.equal(body.result.state['hitl.responder'], service.responder('user'));
      assert.equal('comment' in body.result.state['output.agree'], false);
    }
  },
  'is user for a tool': async (service) => {
    const { workflowId, runId } = await service.run([gate('agree')]);
    const { result } = await service.tool('respond_hitl', { workflowId, runId, approved: true });
    assert.equal(
      JSON.parse(result.content[0].text).result.state['hitl.responder'],
      service.responder('user'),
    );
  },
});
