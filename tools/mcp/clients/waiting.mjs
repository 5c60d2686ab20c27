// What a client sees of a run that takes its time, and what its going away does to it: nothing.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ASKS_EVERY_MS, recordIn, SLOW } from './client.mjs';

/** Of the units of the slow workflow but the last. */
const AT_LEAST_NOTIFICATIONS = 3;
const FINISHES_WITHIN_MS = 10_000;

export async function followsProgress(client) {
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
export async function cancels(client, address) {
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
  const until = Date.now() + FINISHES_WITHIN_MS;
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
