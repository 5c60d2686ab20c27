import type { Backend } from '../backend.js';
import { checkId, checkInput, checkKey } from '../calls/arguments.js';
import { checkedLabels } from '../calls/filters.js';
import { REQUESTS } from '../calls/request-bounds.js';
import type { BatchedStart } from '../options/batches.js';

const { minItems, maxItems } = REQUESTS.StartBatch.runs;
const FIELDS = Object.keys(REQUESTS.BatchedStart);

/** Throws a `TypeError` for what cannot be meant; then nothing is started. */
export function batchRequest(
  workflowId: string,
  runs: readonly BatchedStart[],
): Parameters<Backend['startBatch']>[0] {
  checkId('workflowId', workflowId);
  if (!Array.isArray(runs) || runs.length < minItems || runs.length > maxItems) {
    throw new TypeError(`runs must be a list of ${minItems} to ${maxItems} starts: split a longer one`);
  }
  return { workflowId, runs: runs.map(checkedStart) };
}

function checkedStart(start: BatchedStart, index: number) {
  const name = `runs[${index}]`;
  checkInput(start, name, 'it has input, labels and idempotencyKey');
  const other = Object.keys(start).find((field) => !FIELDS.includes(field));
  if (other !== undefined) {
    throw new TypeError(`${name} has the field ${other}: a run of a batch has ${FIELDS.join(', ')}`);
  }
  const { input = {}, labels, idempotencyKey } = start;
  checkInput(input, `${name}.input`);
  checkKey(idempotencyKey, `${name}.idempotencyKey`);
  return { input, labels: checkedLabels(labels), idempotencyKey };
}
