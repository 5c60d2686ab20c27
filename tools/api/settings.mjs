/** Half of the cases are about what is there; of the others schemathesis makes what it likes. */
const OFTEN = 0.6;

/**
 * Two have answers without an end; what is imported has a sum, which nobody finds at random; and four are as if they were not where no
 * provider of tokens is: test/e2e/access/logging-in.test.ts has one.
 */
export const NOT_TRIED = [
  'listenToSession',
  'watchEvents',
  'importRun',
  'getServiceProtectedResource',
  'getProtectedResource',
  'preflightProtectedResource',
  'preflightServiceProtectedResource',
];

/** The configuration of schemathesis, for a service with these seeds. */
export function settingsFor(seeds, authorization) {
  const { workflowId, runIds, snapshotIds, sessionIds, documents, hashes, keyIds, owners } = seeds;
  const dictionary = (name, values) => `[dictionaries.${name}]\nvalues = ${JSON.stringify(values)}\n`;
  return `
hooks = ${JSON.stringify(new URL('hooks.py', import.meta.url).pathname)}
request-timeout = 20.0
headers = { Authorization = ${JSON.stringify(authorization)} }

${dictionary('workflows', [workflowId])}
${dictionary('runs', runIds)}
${dictionary('snapshots', snapshotIds)}
${dictionary('sessions', sessionIds)}
${dictionary('documents', documents)}
${dictionary('hashes', hashes)}
${dictionary('keys', keyIds)}
${dictionary('owners', owners)}
${dictionary('words', ['receipt', 'seeded'])}

[parameters]
"path.id" = { dictionary = "workflows", probability = ${OFTEN} }
"path.runId" = { dictionary = "runs", probability = ${OFTEN} }
"path.snapshotId" = { dictionary = "snapshots", probability = ${OFTEN} }
"header.Mcp-Session-Id" = { dictionary = "sessions", probability = ${OFTEN} }
"path.hash" = { dictionary = "hashes", probability = ${OFTEN} }
"query.from" = { dictionary = "hashes", probability = ${OFTEN} }
"query.to" = { dictionary = "hashes", probability = ${OFTEN} }
"path.owner" = { dictionary = "owners", probability = ${OFTEN} }
"body.owner" = { dictionary = "owners", probability = ${OFTEN} }
"query.q" = { dictionary = "words", probability = ${OFTEN} }
"body.snapshotId" = { dictionary = "snapshots", probability = ${OFTEN} }
"body.yaml" = { dictionary = "documents", probability = ${OFTEN} }

${NOT_TRIED.map((id) => `[[operations]]\ninclude-operation-id = "${id}"\nenabled = false\n`).join('\n')}
[[operations]]
include-operation-id = "rotateKey"
parameters = { "path.id" = { dictionary = "keys", probability = ${OFTEN} } }

[[operations]]
include-operation-id = "revokeKey"
parameters = { "path.id" = { dictionary = "keys", probability = ${OFTEN} } }

# A workflow may be called like the last word of these two: then it is read there.
[[operations]]
include-operation-id = "registerWorkflow"
checks.allow_header_conformance.enabled = false

[[operations]]
include-operation-id = "validateWorkflow"
checks.allow_header_conformance.enabled = false
# What is wrong with a document is its answer.
checks.negative_data_rejection.expected-statuses = [200, 400, 403, 404, 405, 413]

[[operations]]
include-operation-id = "startBatch"
# A run may be called like the last word of its path: then it is read there.
checks.allow_header_conformance.enabled = false
# What is wrong with one run is answered in its place.
checks.negative_data_rejection.expected-statuses = [202, 400, 403, 404, 405, 413]

[[operations]]
include-operation-id = "callTool"
# The interface answers 200 to whatever reaches the gateway, and says in the body what is wrong.
checks.negative_data_rejection.expected-statuses = [200, 400, 403, 404, 405, 413]
`;
}
