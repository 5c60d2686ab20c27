import { readFileSync } from 'node:fs';
import { isFrozenAll } from './support/frozen.js';
import type { JsonObject, JsonValue } from '../../src/engine/core/json.js';
import type { FlowNode, Plan } from '../../src/engine/core/plan/plan.js';
import { compileWorkflow } from '../../src/engine/language/compiler/compile.js';
import { LANGUAGE, type Language } from '../../src/engine/language/language.js';
import { parseDocument } from '../../src/engine/language/parse-document.js';
import { decodePlan, encodePlan } from '../../src/engine/language/stored-plan/plan-codec.js';
import { SimulatedRun } from '../support/simulated-run.js';
import { EVERY_NODE } from './support/every-node.js';

/** A document in which every default counts. */
const SPARSE = `
apiVersion: flowgate/v1
kind: Workflow
metadata: { id: sparse }
spec:
  policy: { budget: { maxTokens: 9 }, circuitBreaker: { failureThreshold: 9 } }
  units:
    - { id: a, uses: work }
    - { id: gate, uses: builtin.approval }
  flow:
    type: sequential
    order:
      - { type: loop, do: a }
      - { type: foreach, items: '[1]', do: a }
      - { type: parallel, units: [a, gate] }
      - { type: delegation, orchestrator: a, specialists: [a] }
`;

const names = (source: 'in-process' | 'http') => ({
  sourceOf: () => source,
  known: () => [],
  bound: () => [],
});

function compiled(
  text = EVERY_NODE,
  language?: Language,
  source: 'in-process' | 'http' = 'in-process',
): Plan {
  return compileWorkflow(parseDocument(text, { apiGroups: ['flowgate'] }), names(source), language).plan;
}

/** The plan as a store returns it. */
function stored(plan: Plan): JsonObject {
  return JSON.parse(JSON.stringify(encodePlan(plan))) as JsonObject;
}

const golden = () =>
  JSON.parse(readFileSync(new URL('../fixtures/plans/1.json', import.meta.url), 'utf8')) as JsonObject;

/** The fixture with what stands at the path replaced. */
function goldenWith(path: readonly (string | number)[], value: JsonValue): JsonObject {
  const json = golden();
  let at = json as unknown as Record<string | number, unknown>;
  for (const token of path.slice(0, -1)) at = at[token] as Record<string | number, unknown>;
  at[path.at(-1)!] = value;
  return json;
}

const otherLanguage: Language = {
  revision: LANGUAGE.revision + 1,
  defaults: {
    retry: { maxAttempts: 9, backoff: 'fixed', baseMs: 1, maxMs: 1, jitter: false },
    unitMs: 1,
    maxParallelUnits: 1,
    maxIterations: 1,
    maxRounds: 1,
    itemName: 'thing',
    passesAtOnce: 2,
    branchesAtOnce: 2,
    onReject: 'continue',
    onExceed: 'pause',
    resetMs: 1,
  },
};

describe('the plan that the first build which stored plans wrote', () => {
  it('is still read, with every type of flow and every kind of unit in it', () => {
    const plan = decodePlan(golden());
    expect(new Set([...plan.nodes.values()].map(({ type }) => type))).toEqual(
      new Set<FlowNode['type']>([
        'unit',
        'sequential',
        'parallel',
        'router',
        'switch',
        'loop',
        'foreach',
        'dag',
        'delegation',
      ]),
    );
    expect(new Set([...plan.units.values()].map(({ kind }) => kind))).toEqual(
      new Set(['execute', 'approval', 'set', 'fail']),
    );
    // Once plans are written in another way, this is what the newest way makes of it.
    expect(stored(plan)).toEqual(golden());
  });

  it('drives a run as it did when it was written', () => {
    const run = new SimulatedRun(decodePlan(golden()));
    const { status, state } = run.finish(() => 0);
    expect(status).toBe('completed');
    expect(state).toMatchObject({ kept: 2, fixed: 1, 'errors.stop': 'no every-node' });
    expect((state['all'] as readonly unknown[]).length).toBe(2);
    expect(
      run.log.flatMap((event) =>
        event.type === 'unit-scheduled' || event.type === 'gate-opened' ? [event.unitId] : [],
      ),
    ).toEqual(
      [
        [
          'plain',
          'whole',
          'gate',
          'mock',
          'remote',
          'sum',
          'left',
          '2nd-prüfung',
          'route',
          '2nd-prüfung',
          'mock',
        ],
        ['pass', 'pass', 'pass', 'pass', 'each', 'each', 'plain', 'left', 'tester', 'coder', 'sum', 'left'],
        ['lead', 'coder', 'tester', 'lead'],
      ].flat(),
    );
  });
});

describe('a plan that is stored and loaded', () => {
  it('is the plan: nodes, parents, order, units, bounds and hash', () => {
    const plan = compiled();
    const loaded = decodePlan(stored(plan));
    expect(stored(loaded)).toEqual(stored(plan));
    expect([...loaded.nodes.keys()]).toEqual([...plan.nodes.keys()]);
    for (const [path, node] of plan.nodes) {
      expect(loaded.nodes.get(path)).toMatchObject({
        type: node.type,
        slot: node.slot,
        isBranch: node.isBranch,
      });
      expect(loaded.nodes.get(path)?.parent?.path).toBe(node.parent?.path);
    }
    expect(loaded.root.path).toBe('/spec/flow');
    expect([...loaded.units.keys()]).toEqual([...plan.units.keys()]);
    expect(loaded.hash).toBe(plan.hash);
  });

  it('keeps a branch count without a bound, which JSON cannot write', () => {
    const bounds = (plan: Plan) =>
      [...plan.nodes.values()].flatMap((node) => ('maxConcurrency' in node ? [node.maxConcurrency] : []));
    expect(bounds(decodePlan(stored(compiled())))).toEqual([Infinity, 1, 1, Infinity, 3]);
  });

  it('has settings and policies that nobody can change', () => {
    for (const plan of [compiled(), decodePlan(stored(compiled()))]) {
      for (const { config, contextPolicy } of plan.units.values()) {
        expect(isFrozenAll(config) && isFrozenAll(contextPolicy)).toBe(true);
      }
    }
  });
});

describe('a stored plan is refused in words', () => {
  it.each([
    ['of a newer revision', ['revision'], 4, 'it is of revision 4, and this version reads 3'],
    [
      'with a newer evaluator',
      ['units', 0, 'input', 'evaluator'],
      3,
      'its expressions are for the evaluator 3',
    ],
    ['with a newer kind of unit', ['units', 0, 'kind'], 'call', 'it has a unit of the kind call'],
    ['with a newer type of flow', ['flow', 'order', 0, 'type'], 'spiral', 'it has a flow of an unknown type'],
    [
      'with a newer kind of expression',
      ['units', 0, 'input', 'kind'],
      'js',
      'it has an expression of an unknown kind',
    ],
  ] as const)('%s', (_name, path, value, reason) => {
    expect(() => decodePlan(goldenWith(path, value))).toThrow(
      `The stored plan was written by a newer version of Flowgate (${reason}): start that version`,
    );
  });

  it.each([
    ['without a revision', ['revision'], null, 'it has no revision'],
    ['with a part missing', ['units'], null, 'a part of it is missing'],
  ] as const)('%s', (_name, path, value, reason) => {
    expect(() => decodePlan(goldenWith(path, value))).toThrow(
      `The stored plan is damaged (${reason}): restore the data folder from a backup`,
    );
  });

  it('as a typed error', () => {
    expect(() => decodePlan(null)).toThrow(expect.objectContaining({ code: 'unreadable-plan' }) as Error);
  });
});

describe('the hash of a definition', () => {
  it('is the same for the same document in another order of keys and with other comments', () => {
    const text = 'apiVersion: flowgate/v1\nkind: Workflow\nmetadata: { id: x }\nspec:\n';
    const one = `${text}  units: [{ id: a, uses: work }]\n  flow: a\n`;
    const other = `# a comment\n${text}  flow: a\n  units: [{ uses: work, id: a }]\n`;
    expect(compiled(other).hash).toBe(compiled(one).hash);
  });

  it.each([
    ['the document', compiled(EVERY_NODE.replace('locale: de', 'locale: fr'))],
    ['how a name resolved', compiled(EVERY_NODE, LANGUAGE, 'http')],
    ['the revision of the language', compiled(EVERY_NODE, { ...LANGUAGE, revision: LANGUAGE.revision + 1 })],
    ...Object.entries(otherLanguage.defaults).map(([name, value]): [string, Plan] => [
      `the default ${name}`,
      compiled(SPARSE, { ...LANGUAGE, defaults: { ...LANGUAGE.defaults, [name]: value } }),
    ]),
  ])('changes with %s', (what, plan) => {
    expect(plan.hash).not.toBe((what.startsWith('the default') ? compiled(SPARSE) : compiled()).hash);
  });
});

describe('a plan from before an upgrade', () => {
  it('means what it meant, and keeps its hash, under a compiler with other defaults', () => {
    const before = compiled(SPARSE);
    const kept = stored(before);
    const upgraded = compiled(SPARSE, otherLanguage);
    expect(upgraded.hash).not.toBe(before.hash);
    expect(stored(upgraded)).not.toEqual(kept);
    const loaded = decodePlan(kept);
    expect(loaded.hash).toBe(before.hash);
    expect(stored(loaded)).toEqual(kept);
  });
});

describe('a plan that has what the first form of plans does not know', () => {
  const NEWER = `
apiVersion: flowgate/v1
kind: Workflow
metadata: { id: newer }
spec:
  policy:
    budget: { maxTokens: 9, onExceed: pause }
    circuitBreaker: { failureThreshold: 3, resetMs: 0 }
    rateLimit: { maxRequestsPerMinute: 60 }
  units:
    - { id: a, uses: work, policyOverrides: { budget: { maxCost: 0.5 } } }
    - { id: rest, uses: builtin.wait, config: { duration: P2D } }
    - { id: child, uses: builtin.workflow, config: { workflowId: other } }
  flow: { type: sequential, order: [rest, child] }
  onCancel: [a]
`;

  it('comes back out of a store as it was', () => {
    const plan = compiled(NEWER);
    const loaded = decodePlan(stored(plan));
    expect(stored(loaded)).toEqual(stored(plan));
    expect(stored(plan)['revision']).toBe(2);
    expect(loaded.units.get('a')).toMatchObject({
      budget: { maxTokens: 9, maxCost: 0.5, onExceed: 'pause' },
      circuitBreaker: { failureThreshold: 3, resetMs: 0 },
      rateLimit: { maxRequestsPerMinute: 60 },
    });
    expect(loaded.units.get('rest')).toMatchObject({ kind: 'wait', budget: null, rateLimit: null });
    expect(loaded.onCancel).toMatchObject({ type: 'parallel', path: '/spec/onCancel', maxConcurrency: 1 });
    expect(loaded.nodes.get('/spec/onCancel/0')).toMatchObject({ type: 'unit', unitId: 'a', isBranch: true });
  });

  it('is written in the first form when all of that means nothing', () => {
    const nothing = NEWER.replace(/policy:\n(?: {4}.*\n){3}/, 'policy: { budget: { onExceed: pause } }\n')
      .replace(/, policyOverrides: .*? \} \} \}/, ' }')
      .replace(/ {4}- \{ id: (?:rest|child).*\n/g, '')
      .replace('[rest, child]', '[a]')
      .replace('  onCancel: [a]\n', '');
    expect(stored(compiled(nothing))['revision']).toBe(1);
  });
});
