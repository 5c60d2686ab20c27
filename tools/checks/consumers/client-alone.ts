// A project that installed flowgate-client and nothing else: compiled as an ES module and as CommonJS, run on Node.
import { FlowgateClient, type RunRecord } from 'flowgate-client';

const yaml = `
apiVersion: flowgate/v1
kind: Workflow
metadata: { id: consumer }
spec:
  units: [{ id: greet, uses: builtin.mock, config: { response: hello } }]
  flow: greet
`;

async function use(): Promise<void> {
  const inProcess = new FlowgateClient();
  const { workflowId } = await inProcess.validateYaml(yaml);
  if (workflowId !== 'consumer') throw new Error(`validateYaml answered ${workflowId}`);

  const refusal = await inProcess
    .validateYaml(yaml.replace('units:', 'unit:'))
    .catch((error: unknown) => error);
  if (!(refusal instanceof Error) || !refusal.message.includes('did you mean `units`?')) {
    throw new Error(`a wrong document was answered with ${String(refusal)}`);
  }
  const missing = await inProcess.loadAndRegister(yaml).catch((error: unknown) => error);
  if (!(missing instanceof Error) || !missing.message.includes('npm install flowgate')) {
    throw new Error(
      `without the package flowgate, registering in process was answered with ${String(missing)}`,
    );
  }

  const baseUrl = process.env['FLOWGATE_URL'];
  if (baseUrl === undefined) throw new Error('FLOWGATE_URL is not set');
  const remote = new FlowgateClient({ baseUrl });
  await remote.loadAndRegister(yaml);
  const record: RunRecord = await remote.startWorkflow('consumer', {}, { sync: true });
  if (record.result?.state['output.greet'] !== 'hello')
    throw new Error(`the run ended as ${JSON.stringify(record)}`);
}

declare const process: { readonly env: Readonly<Record<string, string | undefined>>; exitCode: number };
void use().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
