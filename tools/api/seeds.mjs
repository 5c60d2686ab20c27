const document = (id, flow, extra = '') => `apiVersion: flowgate/v1
kind: Workflow
metadata: { id: ${id} }
spec:
  units:
    - { id: check, uses: builtin.mock, config: { response: 'a seeded receipt' }, compensate: undo }
    - { id: approve, uses: builtin.approval }
    - { id: also, uses: builtin.approval }
    - { id: undo, uses: builtin.mock, config: { failTimes: 99 }, policyOverrides: { retry: { maxAttempts: 1 } } }
${extra}  flow: ${flow}
`;

/** One workflow with runs of every status, some of which could not undo what they had done, documents to register, and sessions of MCP clients. */
export async function seed(service, round) {
  const post = async (path, body) => {
    const response = await fetch(`${service}${path}`, { method: 'POST', body: JSON.stringify(body) });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const workflowId = `seeded-${round}`;
  const yaml = document(workflowId, '{ type: sequential, order: [check, approve] }');
  // Two versions, of which the second counts.
  await post('/workflows/from-yaml', { yaml: document(workflowId, '{ type: sequential, order: [check] }') });
  await post('/workflows/from-yaml', { yaml });
  const versions = await (await fetch(`${service}/workflows/${workflowId}/versions`)).json();
  const start = () => post(`/workflows/${workflowId}/runs`, { sync: true });
  const decide = (runId, approved) => post(`/workflows/${workflowId}/runs/${runId}/hitl`, { approved });
  const runIds = [];
  for (let of = 0; of < 12; of += 1) {
    const { runId } = await start();
    if (of % 3 > 0) await decide(runId, of % 3 === 1);
    runIds.push(runId);
  }
  const listed = await Promise.all(
    runIds.map(async (runId) =>
      (await fetch(`${service}/workflows/${workflowId}/runs/${runId}/snapshots`)).json(),
    ),
  );
  return {
    workflowId,
    sessionIds: await Promise.all(Array.from({ length: 3 }, () => session(service))),
    runIds,
    snapshotIds: listed.flatMap(({ snapshots }) => snapshots.map(({ snapshotId }) => snapshotId)),
    hashes: versions.items.map(({ definitionHash }) => definitionHash),
    documents: [
      yaml,
      document(`other-${round}`, '{ type: parallel, units: [approve, also] }'),
      document(`bad-${round}`, '{ type: sequential, order: [nobody] }'),
    ],
  };
}

async function session(service) {
  const clientInfo = { name: 'seed', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const response = await fetch(`${service}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  });
  await response.text();
  return response.headers.get('mcp-session-id');
}
