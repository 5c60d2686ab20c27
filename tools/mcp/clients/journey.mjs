// What every client in JavaScript does, whichever package it is of. journey.py is the same for those in Python.
import assert from 'node:assert/strict';
import { hearsOfChanges } from './changes.mjs';
import { connected, finished, GATE, recordIn } from './client.mjs';
import { approvesWhenAsked, leavesOpenWhenAsked, rejectsWhenAsked } from './questions.mjs';
import { cancels, followsProgress } from './waiting.mjs';

export const TOOLS = [
  'run_workflow',
  'get_run',
  'resume_run',
  'respond_hitl',
  'list_workflows',
  'describe_workflow',
  'cancel_run',
  'list_runs',
  'list_gates',
];

/**
 * `connect({ elicit, changed })` resolves to `{ revision, tools(), call(name, arguments, { onprogress, signal }),
 * resources(), read(uri), prompt(name, arguments), close() }`, of a client that can be asked if `elicit(params)` is given,
 * and listens if `changed()` is, which is called when the list of resources is another one. Resolves to a sentence about
 * what was seen.
 */
export async function journey({ address, revision, responder, connect }) {
  const seen = [];
  await connected(connect, {}, async (client) => {
    assert.equal(client.revision, revision, 'the revision that was negotiated');
    await listsTools(client);
    await seesWhatIsWrong(client);
    await approvesByTool(client, responder);
    seen.push(revision, 'approved by tool');
    seen.push(`${await followsProgress(client)} progress notifications`);
    await cancels(client, address);
    seen.push('cancelled while the run went on');
    await getsThePrompt(client);
  });
  await approvesWhenAsked(connect);
  await rejectsWhenAsked(connect);
  await leavesOpenWhenAsked(connect);
  seen.push('approved, rejected and left open when asked');
  await hearsOfChanges(connect, address);
  seen.push('told of a workflow');
  return seen.join(', ');
}

async function listsTools(client) {
  const tools = await client.tools();
  const names = tools.map(({ name }) => name);
  assert.deepEqual(names.toSorted(), TOOLS.toSorted());
  for (const { name, title, description, inputSchema, outputSchema } of tools) {
    assert.ok(title && description, `${name} has a title and a description`);
    assert.equal(inputSchema.type, 'object', `what ${name} takes`);
    assert.equal(outputSchema?.type, 'object', `what ${name} answers`);
  }
  const listed = await client.call('list_workflows', {});
  assert.match(listed.content[0].text, /mcp-gate/);
  const described = await client.call('describe_workflow', { workflowId: GATE });
  assert.match(described.content[0].text, /Waits for a person/);
}

async function seesWhatIsWrong(client) {
  for (const [name, given] of [
    ['run_workflow', { workflowId: 'nobody-knows' }],
    ['get_run', { workflowId: GATE, runId: 'nobody-knows' }],
    ['get_run', { workflowId: GATE }],
  ]) {
    const { isError, content } = await client.call(name, given);
    assert.equal(isError, true, `${name} with ${JSON.stringify(given)} is an error of the tool`);
    assert.ok(content[0].text.length > 0, `${name} says what is wrong`);
  }
}

async function approvesByTool(client, responder) {
  const started = recordIn(
    await client.call('run_workflow', { workflowId: GATE, input: { amount: 3 }, sync: true }),
  );
  assert.equal(started.status, 'paused');
  const run = { workflowId: GATE, runId: started.runId };
  const approved = recordIn(await client.call('respond_hitl', { ...run, approved: true, responder }));
  assert.equal(approved.runId, started.runId);
  await finished(client, run, responder);
  await readsAsResources(client, run);
}

async function readsAsResources(client, { workflowId, runId }) {
  const uri = `flowgate://workflows/${workflowId}`;
  assert.ok((await client.resources()).some((resource) => resource.uri === uri));
  const [workflow] = await client.read(uri);
  assert.equal(JSON.parse(workflow.text).workflowId, workflowId);
  const [run] = await client.read(`flowgate://runs/${runId}`);
  assert.equal(JSON.parse(run.text).status, 'completed');
}

async function getsThePrompt(client) {
  const [message] = await client.prompt('write_workflow', { goal: 'ask before a payment' });
  assert.match(message.content.text, /ask before a payment/);
}
