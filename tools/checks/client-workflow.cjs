// Run by engine-without-nest.mjs in a folder that has both packages and no Nest: the client in process, as CommonJS.
const assert = require('node:assert/strict');
const { FlowgateClient } = require('flowgate-client');

async function main() {
  const client = new FlowgateClient();
  client.registerUnit('check.greet', ({ input }) => `Hello ${input.name}`);
  const units = [{ id: 'greet', uses: 'check.greet' }];
  const spec = { units, flow: 'greet' };
  await client.loadAndRegister({ apiVersion: 'flowgate/v1', kind: 'Workflow', metadata: { id: 'g' }, spec });
  const record = await client.startWorkflow('g', { name: 'Ada' }, { sync: true });
  assert.equal(record.status, 'completed', record.error);
  assert.equal(record.result.state['output.greet'], 'Hello Ada');
  await client.close();
  process.stdout.write('flowgate-client ran a workflow in process, as CommonJS, without Nest.\n');
}

main().catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
});
