import { BUILTINS } from '../../src/engine/language/builtins.js';
import { createEngine, type JsonObject } from '../../src/engine/index.js';
import { evaluate } from '../../src/engine/language/expression/testing/evaluate.js';
import {
  builtins,
  documentedFields,
  examples,
  expressionInput,
  expressions,
} from './support/reference-page.js';
import { flowTypes, schemaFields } from './support/schema-fields.js';

describe('the language reference', () => {
  it('documents every field of the schema, each once, and no other', () => {
    const documented = documentedFields.map(({ path }) => path);
    expect(documented.toSorted()).toEqual(schemaFields.map(({ path }) => path).toSorted());
  });

  it.each(schemaFields)('says of $path what the schema says: its default and its bound', (field) => {
    const documented = documentedFields.find(({ path }) => path === field.path);
    if (field.isRequired) expect(documented?.default).toBe('required');
    if (field.default !== null) expect(documented?.default).toBe(field.default);
    if (field.bound !== null) expect(documented?.bound).toContain(field.bound);
  });

  it('shows every field in an example', () => {
    const shown = new Set(examples.flatMap(({ document }) => pathsOf(document)));
    expect(schemaFields.map(({ path }) => path).filter((path) => !shown.has(path))).toEqual([]);
  });

  it('names every built-in unit and setting, and no other', () => {
    expect(builtins.toSorted()).toEqual([...BUILTINS.keys()].toSorted());
  });

  it('has no two examples of one id', () => {
    expect(new Set(examples.map(({ id }) => id)).size).toBe(examples.length);
  });
});

describe('an example of the language reference', () => {
  it.each(examples.filter(({ refused }) => refused === null))(
    '$id is registered without a warning, and runs as the page says',
    async ({ id, yaml, run }) => {
      const engine = await engineOfThePage();
      const { workflowId, warnings } = await engine.workflows.register({ yaml });
      expect([workflowId, warnings]).toEqual([id, []]);
      if (run === null) throw new Error(`Say before the example ${id} what its run gives.`);
      const { status, result, error } = await engine.runs.start({
        workflowId: id,
        input: (run.input ?? {}) as JsonObject,
        sync: true,
      });
      expect([status, error]).toEqual([run.status, run.error]);
      expect(result?.state ?? {}).toMatchObject(run.state ?? {});
      await engine.close();
    },
  );

  it.each(examples.filter(({ refused }) => refused !== null))(
    '$id is refused, as the page says',
    async ({ yaml, refused }) => {
      const engine = await engineOfThePage();
      const error: unknown = await engine.workflows.register({ yaml }).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'yaml-load' });
      expect((error as { details: readonly { path: string }[] }).details.map(({ path }) => path)).toEqual(
        refused,
      );
    },
  );
});

describe('an expression of the language reference', () => {
  it.each(expressions)('$source gives what the page says', ({ source, value }) => {
    expect(evaluate(source, {}, { input: expressionInput as JsonObject })).toEqual(value);
  });

  it('stands there at all', () => {
    expect(expressions.length).toBeGreaterThan(5);
  });
});

/** A real clock: the retries of the examples are short. */
async function engineOfThePage() {
  const engine = createEngine();
  await engine.open();
  let round = 0;
  engine.registerUnit('acme.lead', () => {
    const delegations = [[{ targetUnitId: 'coder', task: 'write it' }], []][round++];
    return { content: round === 1 ? 'on it' : 'all done', metadata: { delegations } };
  });
  return engine;
}

/** The fields that a document has, as the page and the schema name them. */
function pathsOf(document: (typeof examples)[number]['document']): string[] {
  const { units, flow, policy } = document.spec;
  return [
    ...paths(document, ''),
    ...units.flatMap((unit) => [...paths(unit, 'unit.'), ...paths(unit['policyOverrides'], 'policy.')]),
    ...paths(policy, 'policy.'),
    ...flowPaths(flow),
  ];
}

function paths(value: unknown, prefix: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [
    `${prefix}${key}`,
    ...(Array.isArray(member)
      ? member.flatMap((entry) => paths(entry, `${prefix}${key}[].`))
      : paths(member, `${prefix}${key}.`)),
  ]);
}

function flowPaths(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { type } = value as { readonly type?: unknown };
  const own = typeof type === 'string' && flowTypes.includes(type) ? paths(value, `${type}.`) : [];
  return [...own, ...Object.values(value).flatMap(flowPaths)];
}
