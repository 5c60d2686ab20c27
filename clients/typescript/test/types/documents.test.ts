import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readText } from '../../../../src/engine/language/reader/read-document.js';
import type * as documents from '../../src/types/documents.js';

/** Each field of a type, and whether it must be there: the compiler holds it to the type, the test to the schema. */
type Fields<T> = {
  readonly [K in keyof T as string extends K ? never : K]-?: object extends Pick<T, K>
    ? 'optional'
    : 'required';
};

const policy: Fields<documents.Policy> = {
  retry: 'optional',
  timeout: 'optional',
  budget: 'optional',
  concurrency: 'optional',
  circuitBreaker: 'optional',
  rateLimit: 'optional',
};
const TYPES = {
  '': {
    apiVersion: 'required',
    kind: 'required',
    metadata: 'required',
    spec: 'required',
  } satisfies Fields<documents.WorkflowDocument>,
  '$defs/metadata': {
    id: 'required',
    description: 'optional',
    labels: 'optional',
    annotations: 'optional',
  } satisfies Fields<documents.WorkflowMetadata>,
  '$defs/spec': {
    input: 'optional',
    policy: 'optional',
    entry: 'optional',
    onCancel: 'optional',
    compensateOn: 'optional',
    output: 'optional',
    vars: 'optional',
    units: 'required',
    flow: 'required',
  } satisfies Fields<documents.WorkflowSpec>,
  '$defs/unit': {
    id: 'required',
    uses: 'required',
    config: 'optional',
    with: 'optional',
    if: 'optional',
    pause: 'optional',
    compensate: 'optional',
    policyOverrides: 'optional',
    contextPolicy: 'optional',
  } satisfies Fields<documents.WorkflowUnit>,
  '$defs/compensation': {
    unit: 'required',
    with: 'optional',
    onUnknown: 'optional',
  } satisfies Fields<documents.Compensation>,
  '$defs/contextPolicy': { state: 'optional', memory: 'optional' } satisfies Fields<documents.ContextPolicy>,
  '$defs/policy': policy,
  '$defs/policy/properties/retry': {
    maxAttempts: 'optional',
    backoff: 'optional',
    baseMs: 'optional',
    maxMs: 'optional',
    jitter: 'optional',
  } satisfies Fields<documents.RetryPolicy>,
  '$defs/policy/properties/timeout': {
    unitMs: 'optional',
    workflowMs: 'optional',
  } satisfies Fields<documents.TimeoutPolicy>,
  '$defs/policy/properties/budget': {
    maxTokens: 'optional',
    maxCost: 'optional',
    onExceed: 'optional',
  } satisfies Fields<documents.BudgetPolicy>,
  '$defs/policy/properties/concurrency': {
    maxParallelUnits: 'optional',
  } satisfies Fields<NonNullable<documents.Policy['concurrency']>>,
  '$defs/policy/properties/circuitBreaker': {
    failureThreshold: 'optional',
    resetMs: 'optional',
  } satisfies Fields<NonNullable<documents.Policy['circuitBreaker']>>,
  '$defs/policy/properties/rateLimit': {
    maxRequestsPerMinute: 'optional',
  } satisfies Fields<NonNullable<documents.Policy['rateLimit']>>,
  '$defs/sequential': { type: 'required', order: 'optional' } satisfies Fields<documents.SequentialFlow>,
  '$defs/parallel': {
    type: 'required',
    units: 'required',
    reducer: 'optional',
    failureStrategy: 'optional',
    maxConcurrency: 'optional',
  } satisfies Fields<documents.ParallelFlow>,
  '$defs/router': {
    type: 'required',
    routerUnit: 'required',
    routes: 'required',
    default: 'optional',
  } satisfies Fields<documents.RouterFlow>,
  '$defs/switch': {
    type: 'required',
    cases: 'required',
    default: 'optional',
  } satisfies Fields<documents.SwitchFlow>,
  '$defs/switch/properties/cases/items': {
    if: 'required',
    do: 'required',
  } satisfies Fields<documents.SwitchCase>,
  '$defs/loop': {
    type: 'required',
    unit: 'optional',
    do: 'optional',
    maxIterations: 'optional',
    untilStateKey: 'optional',
    until: 'optional',
  } satisfies Fields<documents.LoopFlow>,
  '$defs/foreach': {
    type: 'required',
    items: 'required',
    as: 'optional',
    do: 'required',
    maxConcurrency: 'optional',
    collect: 'optional',
    failureStrategy: 'optional',
    failures: 'optional',
    maxFailures: 'optional',
    itemKey: 'optional',
  } satisfies Fields<documents.ForeachFlow>,
  '$defs/dag': {
    type: 'required',
    executors: 'required',
    dependencies: 'optional',
    planner: 'optional',
    aggregator: 'optional',
    maxConcurrency: 'optional',
  } satisfies Fields<documents.DagFlow>,
  '$defs/delegation': {
    type: 'required',
    orchestrator: 'required',
    specialists: 'required',
    maxRounds: 'optional',
  } satisfies Fields<documents.DelegationFlow>,
  '$defs/try': {
    type: 'required',
    do: 'required',
    timeout: 'optional',
    compensate: 'optional',
    catch: 'optional',
    ignore: 'optional',
    rethrow: 'optional',
    finally: 'optional',
  } satisfies Fields<documents.TryFlow>,
  '$defs/race': {
    type: 'required',
    units: 'required',
    winner: 'optional',
    compensate: 'optional',
  } satisfies Fields<documents.RaceFlow>,
};

interface Schema {
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly string[];
}

const schema = JSON.parse(readFileSync('schemas/workflow.v1.schema.json', 'utf8')) as Schema;
const at = (path: string): Schema =>
  path
    .split('/')
    .filter((name) => name !== '')
    .reduce((value, name) => (value as unknown as Record<string, Schema>)[name]!, schema);

describe('the types of documents have the fields of the published schema:', () => {
  it.each(Object.entries(TYPES))('%s', (path, fields) => {
    const { properties, required = [] } = at(path);
    const said = Object.fromEntries(
      Object.keys(properties).map((name) => [name, required.includes(name) ? 'required' : 'optional']),
    );
    expect(fields).toEqual(said);
  });

  it('there is a type for every object of the schema that has fields', () => {
    const found: string[] = [];
    const look = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null || /\/(?:examples|allOf|then|else)$/.test(path)) return;
      if ('properties' in value) found.push(path);
      for (const [name, inner] of Object.entries(value)) look(inner, path === '' ? name : `${path}/${name}`);
    };
    look(schema, '');
    const openInside = '$defs/contextPolicy/properties/memory';
    expect(found.filter((path) => path !== openInside).toSorted()).toEqual(Object.keys(TYPES).toSorted());
  });
});

it('every valid fixture is a WorkflowDocument to the compiler, and what is not one is none', () => {
  const folder = '.tmp/client-document-types';
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const typed = readdirSync('schemas/fixtures/valid')
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => readText(readFileSync(`schemas/fixtures/valid/${file}`, 'utf8')))
    .flatMap((reading) => (reading.ok ? [reading.value] : []))
    .map((value, i) => `export const d${i}: WorkflowDocument = ${JSON.stringify(value)};`);
  const wrong = [
    `{ apiVersion: 'flowgate/v1', kind: 'Workflow', metadata: {}, spec: { units: [], flow: 'a' } }`,
    `{ apiVersion: 'flowgate/v1', kind: 'Workflow', metadata: { id: 'a' }, spec: { units: [], flow: { type: 'loops' } } }`,
    `{ apiVersion: 'flowgate/v1', kind: 'Workflow', metadata: { id: 'a' }, spec: { units: [{ id: 'a', use: 'b' }], flow: 'a' } }`,
  ].map(
    (text, i) =>
      `// @ts-expect-error -- it breaks the schema\nexport const w${i}: WorkflowDocument = ${text};`,
  );
  const head = `import type { WorkflowDocument } from '../../clients/typescript/src/types/documents.js';`;
  writeFileSync(`${folder}/all.ts`, [head, ...typed, ...wrong].join('\n'));
  const flags = [
    '--noEmit',
    '--strict',
    '--exactOptionalPropertyTypes',
    '--module',
    'nodenext',
    '--ignoreConfig',
  ];
  const compiler = 'node_modules/typescript/bin/tsc';
  const check = () =>
    execFileSync(process.execPath, [compiler, ...flags, `${folder}/all.ts`], { encoding: 'utf8' });
  expect(typed.length).toBeGreaterThan(10);
  expect(check()).toBe('');
  rmSync(folder, { recursive: true, force: true });
});
