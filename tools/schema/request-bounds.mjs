// What the TypeScript client checks before it asks anybody, made of the published OpenAPI document, and so of the DTOs: which fields
// the requests have, and the bounds of each.

/** The schemas of requests, without the prefix of their components. */
const REQUESTS = [
  'StartRun',
  'StartBatch',
  'BatchedStart',
  'ResumeRun',
  'RunBudget',
  'StopRun',
  'RespondHitl',
  'ForkRun',
  'ForkPlace',
];
const KEYWORDS = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'enum', 'pattern'];

/** The text of the file, without its first line. */
export function make({ components, paths }) {
  const requests = REQUESTS.map((name) => [
    name,
    boundsOfAll(components.schemas[`Flowgate${name}`].properties),
  ]);
  const { parameters } = paths['/workflows/{id}/runs'].post;
  const key = parameters.find(({ name }) => name === 'Idempotency-Key').schema;
  const all = { ...Object.fromEntries(requests), Keyed: { idempotencyKey: boundsOf(key) } };
  return `
/** The fields of the requests, and what the service takes in each. */
export const REQUESTS = ${JSON.stringify(all, null, 2)} as const;
`;
}

function boundsOfAll(properties) {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, boundsOf(schema)]));
}

/** Null stands for a field that is left out: here it is no value. */
function boundsOf(schema) {
  const kept = Object.entries(schema).filter(([keyword]) => KEYWORDS.includes(keyword));
  return Object.fromEntries(
    kept.map(([keyword, value]) => [
      keyword,
      keyword === 'enum' ? value.filter((one) => one !== null) : value,
    ]),
  );
}
