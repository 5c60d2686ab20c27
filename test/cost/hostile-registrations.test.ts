import { startProcess, type ServiceProcess } from '../support/service-process.js';

/**
 * Ms of a `/health` during the attacks, on a machine that does other things as well: alone it takes 1 or 2. Each
 * of these attacks alone once froze the service for 1 to 12 s.
 */
const MOST_MS = 2_500;

let service: ServiceProcess;
let url: string;

beforeAll(async () => {
  service = startProcess({ FLOWGATE_STORE: 'memory' });
  url = await service.listening();
}, 120_000);
afterAll(() => service.clear());

const document = (id: string, spec: object): string =>
  JSON.stringify({
    apiVersion: 'flowgate/v1',
    kind: 'Workflow',
    metadata: { id },
    spec: { units: [{ id: 'a', uses: 'builtin.mock' }], flow: 'a', ...spec },
  });
const register = async (yaml: string) => {
  const response = await fetch(`${url}/workflows/from-yaml`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ yaml }),
  });
  return { status: response.status, body: (await response.json()) as { error?: string; type?: string } };
};
const start = async (id: string, input: object) => {
  const response = await fetch(`${url}/workflows/${id}/runs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input, sync: true }),
  });
  return { status: response.status, body: (await response.json()) as { error?: string } };
};

/** Requests `/health` repeatedly until the attack is over; returns how long the slowest took, in ms. */
async function slowestHealth(attack: Promise<unknown>): Promise<number> {
  const state = { isOver: false };
  const ended = attack.finally(() => (state.isOver = true));
  let slowest = 0;
  while (!state.isOver) {
    const begin = performance.now();
    const { status } = await fetch(`${url}/health`);
    expect(status).toBe(200);
    slowest = Math.max(slowest, performance.now() - begin);
  }
  await ended;
  return slowest;
}

const expression = `\${{ ${'['.repeat(60)}${Array.from({ length: 3_500 }, () => '[1]').join(',')}${']'.repeat(60)} }}`;
const ATTACKS: readonly (readonly [string, string, string])[] = [
  [
    '2 MB of nested expressions',
    document('expressions', {
      units: Array.from({ length: 130 }, (_, n) => ({
        id: `u${n}`,
        uses: 'builtin.mock',
        with: { expression },
      })),
      flow: { type: 'sequential' },
    }),
    'YamlLoadError',
  ],
  ['2 MB of one repeated token', `a: [${'[],'.repeat(600_000)}1]`, 'YamlValidationError'],
  ['2 MB of fields', Array.from({ length: 150_000 }, (_, n) => `k${n}: 1`).join('\n'), 'YamlValidationError'],
];

describe('while hostile documents are registered', () => {
  it.each(ATTACKS)(
    'everybody else is answered: %s',
    async (_name, yaml, type) => {
      let answers: readonly { status: number; body: { type?: string } }[] = [];
      const attack = Promise.all([register(yaml), register(yaml)]).then((both) => (answers = both));
      expect(await slowestHealth(attack)).toBeLessThan(MOST_MS);
      expect(answers.map(({ status, body }) => [status, body.type])).toEqual([
        [400, type],
        [400, type],
      ]);
    },
    300_000,
  );

  it('ten thousand units are registered and run, and everybody else is answered', async () => {
    const units = Array.from({ length: 10_000 }, (_, n) => ({ id: `u${n}`, uses: 'builtin.mock' }));
    const attack = register(document('many', { units, flow: { type: 'sequential' } }));
    expect(await slowestHealth(attack)).toBeLessThan(MOST_MS);
    expect((await attack).status).toBe(201);
  }, 120_000);

  it('small ones are registered meanwhile', async () => {
    const large = register(ATTACKS[1]![1]);
    let isOver = false;
    const over = large.finally(() => (isOver = true));
    expect((await register(document('small', {}))).status).toBe(201);
    expect(isOver).toBe(false);
    await over;
  }, 120_000);
});

describe('while hostile inputs are checked', () => {
  it('everybody else is answered, and the input is refused', async () => {
    const input = { properties: { x: { anyOf: Array.from({ length: 300 }, (_, n) => ({ const: n + 5 })) } } };
    const schema = { properties: { list: { items: input } } };
    await register(document('checked', { input: schema }));
    const attack = start('checked', { list: Array.from({ length: 45_000 }, () => ({ x: 1 })) });
    expect(await slowestHealth(attack)).toBeLessThan(MOST_MS);
    expect(await attack).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('input.list.0.x') },
    });
  }, 120_000);
});
