// A program that knows of the service nothing but its OpenAPI document: test/openapi/client.test.ts makes its types of
// that, checks it with them, and lets it run against the real service.
import createClient from 'openapi-fetch';
import type { components, paths } from './openapi.js';

type RunRecord = components['schemas']['FlowgateRunRecord'];

const YAML = `
apiVersion: flowgate/v1
kind: Workflow
metadata: { id: generated }
spec:
  units:
    - { id: check, uses: builtin.mock, config: { response: 'receipt' } }
    - { id: approve, uses: builtin.approval }
  flow: { type: sequential, order: [check, approve] }
`;

const client = createClient<paths>({ baseUrl: process.argv[2] ?? '' });

function has<T>(answer: { readonly data?: T; readonly error?: unknown }): T {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
  return answer.data;
}

const registered = has(await client.POST('/workflows/from-yaml', { body: { yaml: YAML } }));
const started: RunRecord = has(
  await client.POST('/workflows/{id}/runs', {
    params: { path: { id: registered.workflowId }, header: { 'Idempotency-Key': 'generated-1' } },
    body: { input: { amount: 7 }, sync: true },
  }),
);
const path = { id: registered.workflowId, runId: started.runId };

const { messages, next } = has(
  await client.GET('/workflows/{id}/runs/{runId}/messages', { params: { path, query: { limit: 10 } } }),
);
// The kinds of messages are told apart by their type.
const titles = messages.flatMap((message) => (message.type === 'hitl-request' ? [message.action] : []));

// @ts-expect-error -- what the service would refuse, the types refuse
const body: components['schemas']['FlowgateRespondHitl'] = { approved: 'yes' };
const { error: refused } = await client.POST('/workflows/{id}/runs/{runId}/hitl', { params: { path }, body });

const decided = has(
  await client.POST('/workflows/{id}/runs/{runId}/hitl', {
    params: { path },
    body: { approved: true, responder: 'ann' },
  }),
);
const { error: unknown, response } = await client.GET('/workflows/{id}/runs/{runId}', {
  params: { path: { ...path, runId: 'nothing' } },
});
const found = has(await client.GET('/health'));

process.stdout.write(
  JSON.stringify({
    started: started.status,
    state: started.result?.state,
    titles,
    next,
    refused: refused?.code,
    decided: decided.status,
    unknown: [response.status, unknown?.code],
    healthy: found.ok,
  }),
);
