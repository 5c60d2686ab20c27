// A project that installed both packages: the client in process, the engine by itself, and the parts for a database, whose own
// package it has not installed.
import { FlowgateClient } from 'flowgate-client';
import { createEngine, type Engine } from 'flowgate/engine';
import { postgres, type PostgresParts } from 'flowgate/postgres';

const yaml = `
apiVersion: flowgate/v1
kind: Workflow
metadata: { id: consumer }
spec:
  units: [{ id: greet, uses: consumer.greet, with: { name: '\${{ input.name }}' } }]
  flow: greet
`;

async function use(): Promise<void> {
  const client = new FlowgateClient();
  client.registerUnit('consumer.greet', ({ input }) => `Hello, ${String((input as { name: string }).name)}!`);
  const { workflowId } = await client.loadAndRegister(yaml);
  const record = await client.startWorkflow(workflowId, { name: 'Ada' }, { sync: true });
  await client.close();
  if (record.result?.state['output.greet'] !== 'Hello, Ada!')
    throw new Error(`the run ended as ${JSON.stringify(record)}`);

  const engine: Engine = createEngine();
  await engine.open();
  engine.registerUnit('consumer.greet', () => 'Hello!');
  await engine.workflows.register({ yaml });
  const other = await engine.runs.start({ workflowId, input: { name: 'Ada' }, sync: true });
  await engine.close();
  if (other.result?.state['output.greet'] !== 'Hello!')
    throw new Error(`the run ended as ${JSON.stringify(other)}`);

  const parts: PostgresParts = postgres({ url: 'postgresql://127.0.0.1:1/none' });
  const refusal = await parts.store.open().then(
    () => null,
    (error: unknown) => error,
  );
  if (!(refusal instanceof Error) || !refusal.message.includes('npm install pg'))
    throw new Error(`without the package pg, the database was answered with ${String(refusal)}`);
}

declare const process: { exitCode: number };
void use().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
