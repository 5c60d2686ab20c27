// What every client in JavaScript does, whichever package it is of. journey.py is the same for those in Python.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

export const TOOLS = [
  'run_workflow',
  'get_run',
  'resume_run',
  'respond_hitl',
  'list_workflows',
  'describe_workflow',
];
const GATE = 'mcp-gate';
const SLOW = 'mcp-slow';
/** Of its three units that take their time, and one that does not. */
const AT_LEAST_NOTIFICATIONS = 3;
const FINDS_MARK_WITHIN_MS = 10_000;
const ASKS_EVERY_MS = 100;

/**
 * `connect({ elicit })` resolves to `{ revision, tools(), call(name, arguments, { onprogress, signal }), close() }`, of a
 * client that can be asked if `elicit(params)` is given. Resolves to a sentence about what was seen.
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
  });
  await approvesWhenAsked(connect);
  seen.push('approved when asked');
  return seen.join(', ');
}

/** The client is closed whatever happens. */
async function connected(connect, handlers, use) {
  const client = await connect(handlers);
  try {
    await use(client);
  } finally {
    await client.close();
  }
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
}

/** The record as the tool gives it, once the run is completed. */
async function finished(client, run, responder) {
  const until = Date.now() + FINDS_MARK_WITHIN_MS;
  let record = recordIn(await client.call('get_run', run));
  while (record.status === 'running' && Date.now() < until) {
    await delay(ASKS_EVERY_MS);
    record = recordIn(await client.call('get_run', run));
  }
  assert.equal(record.status, 'completed', JSON.stringify(record));
  assert.deepEqual(record.result.completedUnits, ['check', 'approve', 'pay']);
  if (responder !== undefined) assert.equal(record.result.state['hitl.responder'], responder);
}

/** As text and as structured content, which say the same. */
function recordIn({ isError, content, structuredContent }) {
  const [{ text }] = content;
  assert.notEqual(isError, true, text);
  assert.deepEqual(structuredContent, JSON.parse(text), 'the structured content is what the text says');
  return structuredContent;
}

async function followsProgress(client) {
  const steps = [];
  const onprogress = ({ progress }) => steps.push(progress);
  const given = { workflowId: SLOW, input: { mark: 'followed' }, sync: true };
  const record = recordIn(await client.call('run_workflow', given, { onprogress }));
  assert.equal(record.status, 'completed');
  assert.ok(steps.length >= AT_LEAST_NOTIFICATIONS, `only ${steps.length} progress notifications came`);
  assert.ok(
    steps.every((step, index) => index === 0 || step > steps[index - 1]),
    `progress does not grow: ${steps.join(', ')}`,
  );
  return steps.length;
}

/** The call is over at once; the run comes to its end. */
async function cancels(client, address) {
  const mark = `mark${randomBytes(6).toString('hex')}`;
  const abort = new AbortController();
  const given = { workflowId: SLOW, input: { mark }, sync: true };
  const onprogress = () => abort.abort(new Error('enough'));
  await assert.rejects(
    client.call('run_workflow', given, { onprogress, signal: abort.signal }),
    'the call that was cancelled',
  );
  assert.ok(abort.signal.aborted, 'it was cancelled by us');
  assert.equal(await isRemembered(address, mark), false, 'the run was over before it was cancelled');
  const until = Date.now() + FINDS_MARK_WITHIN_MS;
  while (!(await isRemembered(address, mark))) {
    assert.ok(Date.now() < until, 'the run ended with the call that started it');
    await delay(ASKS_EVERY_MS);
  }
  await client.tools();
}

async function isRemembered(address, mark) {
  const response = await fetch(`${address}/memory/search?q=${mark}`);
  const { results } = await response.json();
  return results.length > 0;
}

async function approvesWhenAsked(connect) {
  const questions = [];
  const elicit = ({ message, requestedSchema }) => {
    questions.push(message);
    return { action: 'accept', content: agreed(requestedSchema) };
  };
  await connected(connect, { elicit }, async (client) => {
    const given = { workflowId: GATE, input: { amount: 4 }, sync: true };
    const record = recordIn(await client.call('run_workflow', given));
    assert.equal(questions.length, 1, 'the person is asked once');
    assert.match(questions[0], /Pay 4\?/, 'the question names the gate');
    await finished(client, { workflowId: GATE, runId: record.runId });
    assert.equal(record.status, 'completed', 'the call that asked gives the record of the run that is over');
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
