import { registrarOf, yamlOf, type RegistrarOptions } from '../../../test/support/registrars.js';
import { EVERY_NODE } from '../../../test/language/support/every-node.js';
import { encodePlan } from '../language/stored-plan/plan-codec.js';
import { FIRST_LANGUAGE, LANGUAGE, type Language } from '../language/language.js';
import type { StoredDefinition } from '../ports/store/definition-store.js';
import type { PreparedWorkflow } from './registrar.js';

const KEY = new Uint8Array(32).fill(7);
const OLD_HASH = 'f00d'.repeat(16);
const bound = (headers: object = {}) => ({ type: 'http', endpoint: 'http://127.0.0.1:9/x', headers });

/** What a later version may decide otherwise. */
const TOMORROW: Language = {
  revision: LANGUAGE.revision + 1,
  defaults: { ...LANGUAGE.defaults, unitMs: 1, maxIterations: 1, branchesAtOnce: 1 },
};

async function prepared(
  yaml = yamlOf('w'),
  options: RegistrarOptions & { readonly bindings?: unknown; readonly namespace?: string } = {},
): Promise<PreparedWorkflow> {
  const { bindings, namespace = 'default' } = options;
  return registrarOf(options).prepare({ yaml, bindings, namespace, registeredAt: 1_000 });
}

/** A definition as it was stored before plans were. */
function beforePlans(yaml: string, bindings: StoredDefinition['bindings'] = {}): StoredDefinition {
  return {
    namespace: 'default',
    hash: OLD_HASH,
    workflowId: 'w',
    yaml,
    bindings,
    plan: null,
    registeredAt: 5,
  };
}

describe('a definition that comes back from the store', () => {
  const documents: readonly (readonly [string, string])[] = [
    [
      'small',
      yamlOf(
        'w',
        { input: { type: 'object', required: ['n'] } },
        { description: 'd', labels: { a: 'b' }, annotations: { weight: 1, hidden: true } },
      ),
    ],
    ['with every kind of node', EVERY_NODE],
  ];

  it.each(documents)('is the one that was registered: %s', async (_name, yaml) => {
    const units = ['work', 'route', 'orchestrate'];
    const { definition, stored } = await prepared(yaml, { units, namespace: 'acme' });
    const { definition: restored, better } = await registrarOf().restore(stored);
    expect(better).toBeNull();
    expect(encodePlan(restored.plan)).toEqual(encodePlan(definition.plan));
    const { plan: _p, checkInput: _c, ...rest } = definition;
    expect(restored).toMatchObject(rest);
    expect(await restored.checkInput?.({}, null)).toEqual(await definition.checkInput?.({}, null));
  });

  it('comes back under a newer language, schema and setting as it was', async () => {
    const { definition, stored } = await prepared();
    const newer = registrarOf({ language: TOMORROW, apiGroups: ['acme'], units: [] });
    const { definition: restored } = await newer.restore({
      ...stored,
      yaml: stored.yaml.replace('spec', 'sepc'),
    });
    expect(restored.plan.hash).toBe(definition.plan.hash);
    expect(encodePlan(restored.plan)).toEqual(encodePlan(definition.plan));
  });

  it('has no annotations where a version of before there were any has stored it', async () => {
    const { stored } = await prepared();
    const plan = stored.plan!.replace('"annotations":{},', '');
    expect(plan).not.toContain('annotations');
    const { definition, better } = await registrarOf().restore({ ...stored, plan });
    expect([definition.annotations, definition.input, better]).toEqual([{}, null, null]);
  });

  it('is sealed where there is a key, its plan as well', async () => {
    const { stored } = await prepared(yamlOf('w', {}, { description: 'hunter2' }), {
      key: KEY,
      units: [],
      bindings: { work: bound({ authorization: 'hunter3' }) },
    });
    expect(JSON.stringify(stored)).not.toMatch(/hunter|flowgate\/v1|sequential/);
    const { definition } = await registrarOf({ key: KEY }).restore(stored);
    expect(definition).toMatchObject({ description: 'hunter2' });
    expect(definition.bindings.get('work')?.headers).toEqual({ authorization: 'hunter3' });
    await expect(registrarOf().restore(stored)).rejects.toThrow('FLOWGATE_ENCRYPTION_KEY');
  });

  it('keeps bindings that would be refused by now', async () => {
    const { stored } = await prepared(yamlOf('w'), { units: [], bindings: { work: bound() } });
    const bindings = { work: { type: 'http', endpoint: 'ftp://old', headers: { te: 'x' }, timeoutMs: 5 } };
    const { definition } = await registrarOf().restore({ ...stored, bindings });
    expect(definition.bindings.get('work')).toEqual({
      type: 'http',
      endpoint: 'ftp://old',
      headers: { te: 'x' },
      callback: false,
      signingSecret: null,
      timeoutMs: 5,
    });
  });

  it.each([
    ['is no JSON', '{', 'it is no JSON'],
    ['is no plan', '{}', 'it has no revision'],
  ])('is refused in words when its plan %s', async (_name, plan, reason) => {
    const { stored } = await prepared();
    await expect(registrarOf().restore({ ...stored, plan })).rejects.toThrow(
      `The stored plan is damaged (${reason})`,
    );
  });

  it('refuses the inputs of a schema that cannot be used any more, and nothing else', async () => {
    const { stored } = await prepared(yamlOf('w', { input: { type: 'object' } }));
    const plan = stored.plan!.replace('"input":{"type":"object"}', '"input":{"type":"objekt"}');
    const { definition } = await registrarOf().restore({ ...stored, plan });
    expect((await definition.checkInput?.({}, null))?.[0]?.message).toMatch(
      /^input cannot be checked any more \(.*\): correct spec.input and register the workflow again$/,
    );
  });
});

describe('a definition that was stored before plans were', () => {
  it('is compiled by the language of then, and its plan is kept under the hash that it had', async () => {
    const { definition: then } = await prepared(yamlOf('w'), { language: FIRST_LANGUAGE });
    const { definition, better } = await registrarOf({ language: TOMORROW }).restore(
      beforePlans(yamlOf('w')),
    );
    expect(definition.plan.hash).toBe(OLD_HASH);
    expect(encodePlan(definition.plan)).toEqual({ ...encodePlan(then.plan), hash: OLD_HASH });
    expect(better).toMatchObject({ hash: OLD_HASH, yaml: yamlOf('w'), registeredAt: 5 });
    const again = await registrarOf({ language: TOMORROW }).restore(better!);
    expect(again.better).toBeNull();
    expect(encodePlan(again.definition.plan)).toEqual(encodePlan(definition.plan));
  });

  it('is sealed like the rest when its plan is kept', async () => {
    const { better } = await registrarOf({ key: KEY }).restore(beforePlans(yamlOf('w')));
    expect(better!.plan).toMatch(/^sealed:v1:/);
  });

  it.each([
    ['a group that is not taken any more', yamlOf('w').replace('flowgate/v1', 'acme/v1')],
    ['a field that the schema does not know any more', yamlOf('w', { retired: true })],
    ['an input schema that cannot be used any more', yamlOf('w', { input: { type: 'objekt' } })],
    ['a unit that is not there', yamlOf('w', { units: [{ id: 'a', uses: 'gone' }] })],
  ])('is not validated again: %s', async (_name, yaml) => {
    const { definition } = await registrarOf({ units: [] }).restore(beforePlans(yaml));
    expect(definition.plan.units.size).toBe(1);
  });

  it('ignores a binding of a built-in, as it did', async () => {
    const yaml = yamlOf('w', { units: [{ id: 'a', uses: 'builtin.mock' }] });
    const { definition } = await registrarOf().restore(
      beforePlans(yaml, { 'builtin.mock': bound() as never }),
    );
    expect(definition.plan.units.get('a')?.kind).toBe('execute');
  });
});

describe('a workflow that is registered again at the start', () => {
  it('keeps its own plan', async () => {
    const { definition, stored } = await prepared();
    const { definition: again } = await registrarOf({ language: TOMORROW }).readmit(stored);
    expect(encodePlan(again.plan)).toEqual(encodePlan(definition.plan));
  });

  it('may name an in-process unit that comes later', async () => {
    const { stored } = await prepared();
    await expect(registrarOf({ units: [] }).readmit(stored)).resolves.toMatchObject({ better: null });
  });

  it.each([
    ['reads of a unit that is not there', { units: [{ id: 'a', uses: 'work', if: 'outputs.nobody == 1' }] }],
    [
      'reads what can never be there',
      {
        units: [
          { id: 'a', uses: 'work', with: { x: '${{ outputs.b }}' } },
          { id: 'b', uses: 'work' },
        ],
      },
    ],
    ['has fields in place of a schema', { input: { n: 'number' }, units: [{ id: 'a', uses: 'work' }] }],
    ['takes no object', { input: { type: 'array' }, units: [{ id: 'a', uses: 'work' }] }],
    ['names a secret in a with', { units: [{ id: 'a', uses: 'work', with: { x: '${secret:T}' } }] }],
    [
      'has a default among the routes',
      {
        units: [{ id: 'a', uses: 'work' }],
        flow: { type: 'router', routerUnit: 'a', routes: { default: 'a' } },
      },
    ],
  ])('may have what is only refused since then: it %s', async (_name, spec) => {
    const yaml = yamlOf('w', spec);
    await expect(prepared(yaml)).rejects.toThrow('The workflow cannot be loaded');
    const { stored } = await prepared();
    const { definition } = await registrarOf().readmit({ ...stored, yaml });
    expect(definition.plan.hash).toBe(stored.hash);
    const { better } = await registrarOf().restore(beforePlans(yaml));
    expect(better).toMatchObject({ hash: OLD_HASH, yaml });
  });

  it('must be of a group that is taken', async () => {
    const { stored } = await prepared();
    await expect(registrarOf({ apiGroups: ['acme'] }).readmit(stored)).rejects.toThrow(
      'apiVersion names the group flowgate: this service takes acme/v1',
    );
  });
});

describe('a binding for a built-in', () => {
  it.each(['builtin.mock', 'builtin.set', 'builtin.mcp', 'builtin.nothing'])(
    'is refused by name: %s',
    async (name) => {
      await expect(prepared(yamlOf('w'), { bindings: { [name]: bound() } })).rejects.toThrow(
        `The workflow cannot be loaded: bindings["${name}"] names a built-in: built-ins take no binding; leave it out.`,
      );
    },
  );

  it('is taken for builtin.http, whose units may then leave their endpoint out', async () => {
    const spec = { units: [{ id: 'a', uses: 'builtin.http' }] };
    const { warnings } = await prepared(yamlOf('w', spec), { bindings: { 'builtin.http': bound() } });
    expect(warnings).toEqual([]);
    await expect(prepared(yamlOf('w', spec))).rejects.toThrow(
      'builtin.http needs endpoint in its config, or a binding of its own name',
    );
  });

  it('is warned of when every builtin.http names its own endpoint', async () => {
    const spec = { units: [{ id: 'a', uses: 'builtin.http', config: { endpoint: 'http://127.0.0.1:9' } }] };
    const { warnings } = await prepared(yamlOf('w', spec), { bindings: { 'builtin.http': bound() } });
    expect(warnings).toMatchObject([
      { code: 'unused-binding', message: 'The binding builtin.http is used by no unit.' },
    ]);
  });
});

describe('the group of a document', () => {
  it.each([
    ['uniflow', 'UniFlow'],
    ['UniFlow', 'uniflow'],
    ['UNIFLOW', 'uniFlow'],
  ])('%s is taken where the setting says %s', async (group, setting) => {
    const yaml = yamlOf('w').replace('flowgate/v1', `${group}/v1`);
    const { definition } = await prepared(yaml, { apiGroups: [setting] });
    expect(definition.plan.workflowId).toBe('w');
  });

  it('is refused with the setting that would take it', async () => {
    await expect(prepared(yamlOf('w').replace('flowgate/v1', 'uniflow/v1'))).rejects.toThrow(
      'apiVersion names the group uniflow: this service takes flowgate/v1; set FLOWGATE_API_GROUP to take others.',
    );
  });
});
