// Lets a lead hand out work until it is done; prints who was asked for what.
import { readFile } from 'node:fs/promises';
import { post } from '../lib/flowgate.mjs';
import { show } from '../lib/show.mjs';
import { startUnits } from './unit.mjs';

const units = await startUnits();
try {
  const yaml = await readFile(new URL('workflow.yaml', import.meta.url), 'utf8');
  await post('/workflows/from-yaml', { yaml, bindings: units.bindings });
  const record = await post('/workflows/small-team/runs', { input: { goal: 'a parser' }, sync: true });
  const asked = record.result.messages.filter(({ type }) => type === 'delegation');
  for (const { sourceUnitId, targetUnitId, task } of asked)
    console.log(`${sourceUnitId} → ${targetUnitId}: ${task}`);
  if (record.result.state['output.lead'] !== 'Done: Write a parser, with tests')
    throw new Error('The team did not reach its goal.');
  if (asked.length !== 4) throw new Error('Two rounds of two delegations were expected.');
  show('a lead hands out work until the goal is reached', record);
} finally {
  units.stop();
}
