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
export async function seed({ service, authorization }, round) {
  const headers = { authorization };
  const get = async (path) => (await fetch(`${service}${path}`, { headers })).json();
  const post = async (path, body) => {
    const response = await fetch(`${service}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const workflowId = `seeded-${round}`;
  const yaml = document(workflowId, '{ type: sequential, order: [check, approve] }');
  // Two versions, of which the second counts.
  await post('/workflows/from-yaml', { yaml: document(workflowId, '{ type: sequential, order: [check] }') });
  await post('/workflows/from-yaml', { yaml });
  const versions = await get(`/workflows/${workflowId}/versions`);
  const start = () => post(`/workflows/${workflowId}/runs`, { sync: true });
  const decide = (runId, approved) => post(`/workflows/${workflowId}/runs/${runId}/hitl`, { approved });
  const runIds = [];
  for (let of = 0; of < 12; of += 1) {
    const { runId } = await start();
    if (of % 3 > 0) await decide(runId, of % 3 === 1);
    runIds.push(runId);
  }
  const listed = await Promise.all(
    runIds.map((runId) => get(`/workflows/${workflowId}/runs/${runId}/snapshots`)),
  );
  const owners = Array.from({ length: 6 }, (_, of) => `owner-${round}-${of}`);
  const grants = [{ namespace: 'default', roles: ['viewer'] }];
  const keys = await Promise.all(owners.map((owner) => post('/keys', { owner, grants })));
  return {
    workflowId,
    owners,
    grants,
    keyIds: keys.map(({ key }) => key.id),
    sessionIds: await Promise.all(Array.from({ length: 3 }, () => session(service, authorization))),
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

async function session(service, authorization) {
  const clientInfo = { name: 'seed', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const response = await fetch(`${service}/mcp`, {
    method: 'POST',
    headers: {
      authorization,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  });
  await response.text();
  return response.headers.get('mcp-session-id');
}
