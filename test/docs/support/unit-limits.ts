import { readConfig } from '../../../src/config/service/read-config.js';
import type { Service } from '../../support/service.js';
import type { UnitServer } from '../../support/unit-server.js';
import { document } from '../../support/workflow-documents.js';
import { outcomeOf, probe } from './probe.js';

interface Tried {
  readonly service: Service;
  readonly server: UnitServer;
  /** What the page says. */
  readonly most: number;
  /** The variable that the page names; empty: none. */
  readonly setting: string;
}

const yaml = document('bound', [{ id: 'a', uses: 'acme.a' }]);
const repeated = (count: number, make: (index: number) => readonly [string, unknown]) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => make(index)));

/** How to try each limit, by what the page calls it. */
export const unitLimits: ReadonlyMap<string, (tried: Tried) => Promise<void>> = new Map([
  [
    'bindings of a workflow',
    (tried: Tried) =>
      bindable(tried, (count) => ({
        ...repeated(count - 1, (index) => [`acme.b${index}`, binding(tried)]),
        'acme.a': binding(tried),
      })),
  ],
  [
    'headers of a binding',
    (tried: Tried) =>
      bindable(tried, (count) => ({
        'acme.a': { ...binding(tried), headers: repeated(count, (index) => [`x-${index}`, '1']) },
      })),
  ],
  [
    "a header's value, in characters",
    (tried: Tried) =>
      bindable(tried, (count) => ({ 'acme.a': { ...binding(tried), headers: { x: 'x'.repeat(count) } } })),
  ],
  [
    'an endpoint, in characters',
    (tried: Tried) =>
      bindable(tried, (count) => ({
        'acme.a': { type: 'http', endpoint: `${tried.server.url}/`.padEnd(count, 'x') },
      })),
  ],
  [
    'the body of an answer, in bytes',
    async (tried: Tried) => {
      expectDefault(tried, { maxResponseBytes: tried.most });
      tried.server.answer({ body: 'x'.repeat(tried.most) });
      expect((await probe(tried.service, { endpoint: tried.server.url })).status).toBe('completed');
    },
  ],
  [
    'the time-out of one attempt, in milliseconds',
    async (tried: Tried) => {
      expectDefault(tried, { maxUnitMs: tried.most });
      const ofMs = (unitMs: number) =>
        tried.service.post('/workflows/from-yaml', {
          yaml: document('timed', [
            { id: 'a', uses: 'builtin.mock', policyOverrides: { timeout: { unitMs } } },
          ]),
        });
      expect([(await ofMs(tried.most)).status, (await ofMs(tried.most + 1)).status]).toEqual([201, 400]);
    },
  ],
  [
    'state keys that one answer writes',
    async ({ service, server, most }: Tried) => {
      const writing = async (count: number): Promise<string> => {
        server.answer({ body: { content: 1, state: repeated(count, (index) => [`k${index}`, 0]) } });
        return (await probe(service, { endpoint: server.url })).status;
      };
      expect([await writing(most), await writing(most + 1)]).toEqual(['completed', 'failed']);
    },
  ],
  [
    'of a body that an error quotes, in characters',
    async ({ service, server, most }: Tried) => {
      server.answer({ status: 400, body: 'x'.repeat(2 * most) });
      const record = await probe(service, { endpoint: server.url });
      expect(outcomeOf(record)).toBe(`HTTP 400: ${'x'.repeat(most)}`);
    },
  ],
]);

function binding({ server }: Tried): object {
  return { type: 'http', endpoint: server.url };
}

/** So many are accepted, and one more is not. */
async function bindable({ service, most }: Tried, bindingsOf: (count: number) => object): Promise<void> {
  const register = async (count: number): Promise<number> =>
    (await service.post('/workflows/from-yaml', { yaml, bindings: bindingsOf(count) })).status;
  expect([await register(most), await register(most + 1)]).toEqual([201, 400]);
}

/** What the page says is the default of the service, and the variable changes it. */
function expectDefault({ setting, most }: Tried, expected: object): void {
  expect(readConfig({}).config).toMatchObject(expected);
  const [field = ''] = Object.keys(expected);
  expect(readConfig({ [setting]: String(most - 1) }).config).toMatchObject({ [field]: most - 1 });
}
