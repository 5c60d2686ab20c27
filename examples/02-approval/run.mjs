// Starts a run that stops at a gate, reads what it waits for, approves, prints the record.
import { readFile } from 'node:fs/promises';
import { get, post } from '../lib/flowgate.mjs';
import { show } from '../lib/show.mjs';

const yaml = await readFile(new URL('workflow.yaml', import.meta.url), 'utf8');
await post('/workflows/from-yaml', { yaml });

const runs = '/workflows/invoice-approval/runs';
const waiting = await post(runs, { input: { invoiceId: 'INV-7', amount: 120 }, sync: true });
const request = waiting.result.messages.find(({ type }) => type === 'hitl-request');
console.log(`${waiting.status}: ${request.action}`);

await post(`${runs}/${waiting.runId}/hitl`, { approved: true, responder: 'ann' });
const record = await get(`${runs}/${waiting.runId}`);
if (record.status !== 'completed') throw new Error(`The invoice was not paid: ${record.status}.`);
show('a run waits at a gate until a person approves', record);
