// Registers the workflow, starts a run, prints the record. Needs a service: `npm start`, or FLOWGATE_URL.
import { readFile } from 'node:fs/promises';
import { post } from '../lib/flowgate.mjs';
import { show } from '../lib/show.mjs';
import { startUnits } from './unit.mjs';

const units = await startUnits();
try {
  await post('/workflows/from-yaml', {
    yaml: await readFile(new URL('workflow.yaml', import.meta.url), 'utf8'),
    bindings: {
      'demo.greet': { type: 'http', endpoint: `${units.url}/greet` },
      'demo.shout': { type: 'http', endpoint: `${units.url}/shout` },
    },
  });
  const record = await post('/workflows/hello/runs', { input: { name: 'Ada' }, sync: true });
  if (record.result?.state['output.shout'] !== 'HELLO, ADA!')
    throw new Error('That is not what Ada should hear.');
  show('two units over HTTP greet Ada', record);
} finally {
  units.stop();
}
