/** Half of the cases are about what is there; of the others schemathesis makes what it likes. */
const OFTEN = 0.6;

/** Its answer has no end: whoever reads it whole waits for ever. */
export const STREAMED = 'listenToSession';

/** The configuration of schemathesis, for a service with these seeds. */
export function settingsFor({ workflowId, runIds, snapshotIds, sessionIds, documents }) {
  const dictionary = (name, values) => `[dictionaries.${name}]\nvalues = ${JSON.stringify(values)}\n`;
  return `
hooks = ${JSON.stringify(new URL('hooks.py', import.meta.url).pathname)}
request-timeout = 20.0

${dictionary('workflows', [workflowId])}
${dictionary('runs', runIds)}
${dictionary('snapshots', snapshotIds)}
${dictionary('sessions', sessionIds)}
${dictionary('documents', documents)}
${dictionary('words', ['receipt', 'seeded'])}

[parameters]
"path.id" = { dictionary = "workflows", probability = ${OFTEN} }
"path.runId" = { dictionary = "runs", probability = ${OFTEN} }
"path.snapshotId" = { dictionary = "snapshots", probability = ${OFTEN} }
"header.Mcp-Session-Id" = { dictionary = "sessions", probability = ${OFTEN} }
"query.q" = { dictionary = "words", probability = ${OFTEN} }
"body.snapshotId" = { dictionary = "snapshots", probability = ${OFTEN} }
"body.yaml" = { dictionary = "documents", probability = ${OFTEN} }

[[operations]]
include-operation-id = "${STREAMED}"
enabled = false

[[operations]]
include-operation-id = "callTool"
# The interface answers 200 to whatever reaches the gateway, and says in the body what is wrong.
checks.negative_data_rejection.expected-statuses = [200, 400, 403, 404, 405, 413]
`;
}
