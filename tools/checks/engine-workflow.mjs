// Run by engine-without-nest.mjs in a folder that has flowgate and no Nest: registers a unit and a workflow, runs it.
import assert from 'node:assert/strict';
import { createEngine } from 'flowgate/engine';
import { openTestKit, scripted } from 'flowgate/testing';

assert.throws(
  () => import.meta.resolve('@nestjs/common'),
  { code: 'ERR_MODULE_NOT_FOUND' },
  'Nest can be found from here, so that this proves nothing.',
);

const yaml = `
apiVersion: flowgate/v1
kind: Workflow
metadata: { id: greeting }
spec:
  units:
    - { id: greet, uses: check.greet }
    - { id: done, uses: builtin.set, config: { values: { seen: '\${{ outputs.greet }}' } } }
  flow: { type: sequential, order: [greet, done] }
`;

const engine = createEngine();
await engine.open();
engine.registerUnit('check.greet', ({ input }) => `Hello ${input.name}`);
const { workflowId } = await engine.workflows.register({ yaml });
const record = await engine.runs.start({ workflowId, input: { name: 'Ada' }, sync: true });
await engine.close();

assert.equal(record.status, 'completed', record.error);
assert.deepEqual(record.result.completedUnits, ['greet', 'done']);
assert.equal(record.result.state['output.greet'], 'Hello Ada');
assert.equal(record.result.state.seen, 'Hello Ada');
const greet = scripted().fails('busy').after(60_000).answers('Hello');
const kit = await openTestKit({ units: { 'check.greet': greet }, workflows: [yaml] });
const run = await kit.start('greeting');
await run.expectCompleted();
await run.expectMessages({ type: 'unit-retry', error: /busy/ }, { type: 'unit-output', data: 'Hello' });
assert.equal(greet.calls.length, 2);
await kit.close();
process.stdout.write('flowgate/engine and flowgate/testing ran a workflow without Nest.\n');
