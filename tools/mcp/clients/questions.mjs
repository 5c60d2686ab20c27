// What comes of a gate when the client can ask a person.
import assert from 'node:assert/strict';
import { connected, finished, GATE, recordIn } from './client.mjs';

/** A call that ends at a gate, of a client whose person says `response`. */
async function asked(connect, amount, respond, use) {
  const questions = [];
  const elicit = (params) => {
    questions.push(params.message);
    return respond(params);
  };
  await connected(connect, { elicit }, async (client) => {
    let steps = 0;
    const onprogress = () => (steps += 1);
    const given = { workflowId: GATE, input: { amount }, sync: true };
    const result = await client.call('run_workflow', given, { onprogress });
    assert.equal(questions.length, 1, 'the person is asked once');
    assert.ok(questions[0].includes(`Pay ${amount}?`), `the question names the gate: ${questions[0]}`);
    assert.ok(steps > 0, 'there is progress up to the gate');
    await use(client, result);
  });
}

export async function approvesWhenAsked(connect) {
  const respond = ({ requestedSchema }) => ({ action: 'accept', content: agreed(requestedSchema) });
  await asked(connect, 4, respond, async (client, result) => {
    const record = recordIn(result);
    assert.equal(record.status, 'completed', 'the call that asked gives the record of the run that is over');
    await finished(client, { workflowId: GATE, runId: record.runId });
  });
}

export async function rejectsWhenAsked(connect) {
  const respond = ({ requestedSchema }) => ({
    action: 'accept',
    content: { ...agreed(requestedSchema), approved: false },
  });
  await asked(connect, 5, respond, async (_, { isError, structuredContent }) => {
    assert.equal(isError, true, 'a run that has failed is an error of the tool');
    assert.equal(structuredContent.status, 'failed');
  });
}

/** A person who closes the question decides nothing: somebody else can. */
export async function leavesOpenWhenAsked(connect) {
  const respond = () => ({ action: 'cancel' });
  await asked(connect, 6, respond, async (client, result) => {
    const { runId, status } = recordIn(result);
    assert.equal(status, 'paused');
    assert.equal(recordIn(await client.call('get_run', { workflowId: GATE, runId })).status, 'paused');
  });
}

/** What a person who agrees fills in. */
function agreed({ properties, required = [] }) {
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name, { type }]) => type === 'boolean' || required.includes(name))
      .map(([name, { type }]) => [name, type === 'boolean' ? true : 'agreed']),
  );
}
