// Run by engine-without-nest.mjs in a folder that has both packages and no Nest: the client in process, as ESM.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { FlowgateClient, FlowgateValidationError } from 'flowgate-client';

assert.throws(
  () => import.meta.resolve('@nestjs/common'),
  { code: 'ERR_MODULE_NOT_FOUND' },
  'Nest can be found from here, so that this proves nothing.',
);

writeFileSync(
  'greeting.yaml',
  `
apiVersion: flowgate/v1
kind: Workflow
metadata: { id: greeting }
spec:
  units:
    - { id: greet, uses: check.greet }
    - { id: agree, uses: builtin.approval, config: { title: 'Send it?' } }
  flow: { type: sequential, order: [greet, agree] }
`,
);
const client = new FlowgateClient();
client.registerUnit('check.greet', ({ input }) => `Hello ${input.name}`);
assert.deepEqual(await client.validateYaml('greeting.yaml'), { ok: true, workflowId: 'greeting' });
await assert.rejects(client.validateYaml('kind: Workflow'), FlowgateValidationError);
assert.deepEqual(await client.loadAndRegister('greeting.yaml'), { workflowId: 'greeting' });
const paused = await client.startWorkflow('greeting', { name: 'Ada' }, { sync: true });
assert.equal(paused.status, 'paused', paused.error);
const record = await client.respondHITL('greeting', paused.runId, true);
assert.equal(record.status, 'completed', record.error);
assert.equal(record.result.state['output.greet'], 'Hello Ada');
assert.equal(record.result.state['output.agree'].responder, 'sdk');
assert.deepEqual(await client.searchMemory('Ada'), { results: [] });
assert.deepEqual(await client.health(), { ok: true, workflows: ['greeting'] });
await client.close();
process.stdout.write('flowgate-client ran a workflow in process, as ESM, without Nest.\n');
