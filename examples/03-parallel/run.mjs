// Asks three suppliers at once; one of them fails, and the run completes all the same.
import { readFile } from 'node:fs/promises';
import { post } from '../lib/flowgate.mjs';
import { show } from '../lib/show.mjs';
import { startUnits } from './unit.mjs';

const units = await startUnits();
try {
  const yaml = await readFile(new URL('workflow.yaml', import.meta.url), 'utf8');
  await post('/workflows/from-yaml', { yaml, bindings: units.bindings });
  const record = await post('/workflows/quotes/runs', { input: { pieces: 100 }, sync: true });
  const state = record.result?.state ?? {};
  if (state['output.choose']?.supplier !== 'south') throw new Error('South is the cheapest.');
  if (!state['errors.east']?.includes('503')) throw new Error('The error of east is not in the state.');
  show('three suppliers are asked at once, one of them fails', record);
} finally {
  units.stop();
}
