import { startService, type Service } from '../support/service.js';
import { document, mock } from '../support/workflow-documents.js';

let ours: Service;
let theirs: Service;

afterEach(async () => {
  await ours.close();
  await theirs.close();
});

/** Starts two services; one has a workflow that runs one of the other's by MCP. */
async function start(environment: Readonly<Record<string, string>>): Promise<void> {
  theirs = await startService(environment);
  await theirs.register(document('greet', [mock('hello', { greeting: 'Hello' })]));
  ours = await startService();
  await ours.register(
    document('ask', [
      {
        id: 'call',
        uses: 'builtin.mcp',
        config: { url: `${theirs.url}/mcp`, tool: 'run_workflow' },
        with: { workflowId: 'greet', sync: true, input: { name: '${{ input.name }}' } },
        policyOverrides: { retry: { maxAttempts: 1 } },
      },
    ]),
  );
}

it('a workflow runs one of another service by MCP', async () => {
  await start({ FLOWGATE_ALLOW_SELF_CALLS: 'true' });
  const record = await ours.start('ask', { sync: true, input: { name: 'Ann' } });
  expect(record.error).toBeUndefined();
  expect(record.result?.state['output.call']).toMatchObject({
    status: 'completed',
    result: { state: { 'output.hello': { greeting: 'Hello' } } },
  });
});

it('a service that lets no unit start anything says so, and the unit is not retried', async () => {
  await start({});
  const record = await ours.start('ask', { sync: true, input: { name: 'Ann' } });
  expect(record.error).toMatch(
    /^Unit call failed after 1 attempt\(s\): HTTP 403: .*This is the call of a unit .*FLOWGATE_ALLOW_SELF_CALLS=true/,
  );
});
