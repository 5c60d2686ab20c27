// What an agent does over MCP, by the official client: finds a workflow, reads what it takes, starts it, is asked for the
// approval, and reads the record. What a model would decide is written out here.
import { readFile } from 'node:fs/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { post } from '../lib/flowgate.mjs';
import { show } from '../lib/show.mjs';

const yaml = await readFile(new URL('workflow.yaml', import.meta.url), 'utf8');
await post('/workflows/from-yaml', { yaml });

const agent = new Client(
  { name: 'example-agent', version: '1.0.0' },
  { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: { form: {} } } },
);
const questions = [];
agent.setRequestHandler('elicitation/create', ({ params }) => {
  // Here a client shows the form, and the person at it answers.
  questions.push(params.message.split('\n')[0]);
  return { action: 'accept', content: { approved: true, responder: 'ann' } };
});
const address = process.env.FLOWGATE_URL ?? 'http://127.0.0.1:8787';
await agent.connect(new StreamableHTTPClientTransport(new URL(`${address}/mcp`)));

const call = async (name, given, onprogress) => {
  const { isError, content, structuredContent } = await agent.callTool(
    { name, arguments: given },
    onprogress && { onprogress },
  );
  if (isError) throw new Error(content[0].text);
  return structuredContent;
};

try {
  const { workflows } = await call('list_workflows', {});
  const { workflowId } = workflows.find(({ description }) => description?.startsWith('Refunds an order'));
  const { inputSchema } = await call('describe_workflow', { workflowId });
  console.log(`${workflowId} takes ${inputSchema.required.join(' and ')}`);

  const input = { orderId: 'O-42', amount: 30 };
  const { runId } = await call('run_workflow', { workflowId, input, sync: true }, ({ message }) =>
    console.log(message),
  );
  console.log(`asked: ${questions.join()}`);

  const record = await call('get_run', { workflowId, runId });
  if (record.status !== 'completed') throw new Error(`Nothing was refunded: ${record.status}.`);
  if (record.result.state['hitl.responder'] !== 'ann') throw new Error('Nobody was asked.');
  show('an agent finds a workflow over MCP, and its person approves', record);
} finally {
  await agent.close();
}
