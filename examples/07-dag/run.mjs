// Runs a release, and checks that no step began before what it depends on had ended.
import { readFile } from 'node:fs/promises';
import { post } from '../lib/flowgate.mjs';
import { show } from '../lib/show.mjs';
import { startUnits } from './unit.mjs';

const needs = {
  lint: ['checkout'],
  build: ['checkout'],
  test: ['build'],
  sign: ['test', 'lint'],
  publish: ['sign'],
};

const units = await startUnits();
try {
  const yaml = await readFile(new URL('workflow.yaml', import.meta.url), 'utf8');
  await post('/workflows/from-yaml', { yaml, bindings: units.bindings });
  const record = await post('/workflows/release/runs', { input: { version: '1.4.0' }, sync: true });
  for (const [step, before] of Object.entries(needs)) {
    const { began } = record.result.state[`output.${step}`];
    if (!before.every((one) => began.includes(one)))
      throw new Error(`${step} began too early: after ${began.join(', ')}.`);
  }
  show('each step of a release begins when those it needs have ended', record);
} finally {
  units.stop();
}
