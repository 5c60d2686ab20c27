// Writes, reviews and improves until the score is reached; shows what it cost.
import { readFile } from 'node:fs/promises';
import { post } from '../lib/flowgate.mjs';
import { show } from '../lib/show.mjs';
import { startUnits } from './unit.mjs';

const units = await startUnits();
try {
  const yaml = await readFile(new URL('workflow.yaml', import.meta.url), 'utf8');
  await post('/workflows/from-yaml', { yaml, bindings: units.bindings });
  const record = await post('/workflows/refine/runs', { sync: true });
  const { state, tokenUsage } = record.result ?? {};
  if (state?.['output.write'] !== 'A draft. Better: point 1. Better: point 2.')
    throw new Error('Three passes were to be enough.');
  if (tokenUsage !== 300) throw new Error('Every pass counts.');
  show('a draft is improved until its score is reached', record);
} finally {
  units.stop();
}
