import { startUnitServer, type UnitServer } from '../support/unit-server.js';
import { openEngine, workflowYaml } from '../support/engine.js';
import { refusalOf, unitOf } from './support/faults.js';

let bound: UnitServer;
let named: UnitServer;

beforeEach(async () => {
  bound = await startUnitServer({ body: 'bound' });
  named = await startUnitServer({ body: 'named' });
});

afterEach(() => Promise.all([bound.close(), named.close()]));

const binding = (more: object = {}) => ({
  'builtin.http': {
    type: 'http',
    endpoint: `${bound.url}/work`,
    headers: { authorization: 'Bearer ${secret:TOKEN}', 'x-tenant': 'acme' },
    ...more,
  },
});

/** Runs one `builtin.http` with that config. */
async function call(config: object, bindings: object) {
  const secrets = { read: async () => 'hunter2hunter2' };
  const { engine } = await openEngine({}, { secrets });
  const yaml = workflowYaml('w', { units: [{ id: 'a', uses: 'builtin.http', config }], flow: 'a' });
  const { warnings } = await engine.workflows.register({ yaml, bindings });
  const { error, result } = await engine.runs.start({ workflowId: 'w', sync: true });
  await engine.close();
  return { output: result?.state['output.a'], error, warnings };
}

describe('a binding for builtin.http', () => {
  it('says where a unit is called that names no endpoint itself, with its headers', async () => {
    expect(await call({}, binding())).toMatchObject({ output: 'bound', warnings: [] });
    const [request] = bound.requests;
    expect(request).toMatchObject({ url: '/work' });
    expect(request!.headers).toMatchObject({ authorization: 'Bearer hunter2hunter2', 'x-tenant': 'acme' });
    expect(JSON.parse(request!.body).context.config).toEqual({});
  });

  it("is overridden by the unit's own headers", async () => {
    await call({ headers: { 'X-Tenant': 'own' } }, binding());
    expect(bound.requests[0]!.headers).toMatchObject({
      authorization: 'Bearer hunter2hunter2',
      'x-tenant': 'own',
    });
  });

  it('gives nothing to a unit that names its endpoint: credentials go only where they were bound to', async () => {
    const { output, warnings } = await call({ endpoint: `${named.url}/own` }, binding());
    expect(output).toBe('named');
    expect(bound.requests).toEqual([]);
    expect(named.requests[0]!.headers).not.toHaveProperty('authorization');
    expect(named.requests[0]!.headers).not.toHaveProperty('x-tenant');
    expect(warnings).toEqual(['The binding builtin.http is used by no unit.']);
  });

  it('bounds the call in time', async () => {
    // The clock of the engine does not move: only what is handed on can be seen.
    await call({}, binding({ timeoutMs: 50 }));
    const { deadlineAt } = JSON.parse(bound.requests[0]!.body).context;
    await call({}, binding());
    expect(JSON.parse(bound.requests[1]!.body).context.deadlineAt - deadlineAt).toBe(120_000 - 50);
  });

  it('does not put its secrets into an error that echoes them', async () => {
    const server = await startUnitServer({ status: 400, body: 'bad token hunter2hunter2' });
    const { error } = await call({}, binding({ endpoint: server.url }));
    expect(error).toContain('HTTP 400: bad token ***');
    await server.close();
  });
});

describe('without an endpoint, builtin.http', () => {
  it('is a load error when nothing is bound', async () => {
    const { type, details } = await refusalOf(unitOf('uses: builtin.http\nconfig: { headers: {} }'));
    expect(type).toBe('YamlLoadError');
    expect(details).toMatchObject([
      { message: 'builtin.http needs endpoint in its config, or a binding of its own name' },
    ]);
  });
});

describe('a binding for any other built-in', () => {
  it('is a load error that names it', async () => {
    const { type, message } = await refusalOf(unitOf('uses: builtin.mock'), {
      'builtin.mock': { type: 'http', endpoint: 'http://127.0.0.1:9' },
    });
    expect(type).toBe('YamlLoadError');
    expect(message).toBe(
      'The workflow cannot be loaded: bindings["builtin.mock"] names a built-in: built-ins take no binding; leave it out.',
    );
  });
});
