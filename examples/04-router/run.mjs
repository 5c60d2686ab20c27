// Four mails take four ways through one workflow; the last one waits for a person.
import { readFile } from 'node:fs/promises';
import { post } from '../lib/flowgate.mjs';
import { show } from '../lib/show.mjs';
import { startUnits } from './unit.mjs';

const runs = '/workflows/mail-triage/runs';
const units = await startUnits();
try {
  const yaml = await readFile(new URL('workflow.yaml', import.meta.url), 'utf8');
  await post('/workflows/from-yaml', { yaml, bindings: units.bindings });
  const mails = [
    [{ mail: 'My machine shows an error.' }, ['classify', 'ticket']],
    [{ mail: 'You are great!' }, ['classify', 'thanks']],
    [{ mail: 'I want my money back.', amount: 20 }, ['classify', 'refund']],
    [{ mail: 'Refund me, please.', amount: 700 }, ['classify', 'approve', 'refund']],
  ];
  for (const [input, way] of mails) {
    let record = await post(runs, { input, sync: true });
    console.log(`${input.mail} → ${record.status} after ${record.result?.completedUnits.join(', ')}`);
    if (record.status === 'paused')
      record = await post(`${runs}/${record.runId}/hitl`, { approved: true, responder: 'ann' });
    if (record.result?.completedUnits.join() !== way.join())
      throw new Error(`The way was to be ${way.join(', ')}.`);
    if (input.amount === 700) show('four mails take four ways, one by way of a person', record);
  }
} finally {
  units.stop();
}
