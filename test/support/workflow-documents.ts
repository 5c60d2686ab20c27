/** Workflow documents for tests; JSON is YAML. */
export function document(id: string, units: readonly object[], spec: object = {}): string {
  const order = units.map((unit) => (unit as { id: string }).id);
  return JSON.stringify({
    apiVersion: 'flowgate/v1',
    kind: 'Workflow',
    metadata: { id },
    spec: { units, flow: { type: 'sequential', order }, ...spec },
  });
}

export const mock = (id: string, response: unknown = `${id} done`, more: object = {}) => ({
  id,
  uses: 'builtin.mock',
  config: { response },
  ...more,
});

export const gate = (id: string, config: object = {}) => ({
  id,
  uses: 'builtin.approval',
  config: { title: `May ${id} pass?`, ...config },
});

/** One unit that a server answers for. */
export const remote = (id: string, more: object = {}) => ({ id, uses: `acme.${id}`, ...more });

export const bound = (id: string, endpoint: string, more: object = {}) => ({
  [`acme.${id}`]: { type: 'http', endpoint, ...more },
});
