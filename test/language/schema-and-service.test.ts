import { readFileSync, readdirSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { parse, stringify } from 'yaml';
import { compileDocument } from '../../src/engine/definitions/compile-document.js';
import { NO_CEILINGS } from '../../src/engine/language/ceilings.js';
import { WORKFLOW_BOUNDS } from '../../src/engine/language/document-bounds.js';
import { LANGUAGE } from '../../src/engine/language/language.js';
import { readText } from '../../src/engine/language/reader/read-document.js';
import { YamlLoadError, YamlValidationError } from '../../src/errors/document-errors.js';
import { mutate, type Mutable } from './support/mutate.js';
import { lawCases, shownUntil } from '../support/law-cases.js';

/** What an editor does with the published file, and nothing of ours. */
const published = JSON.parse(readFileSync('schemas/workflow.v1.schema.json', 'utf8')) as object;
const satisfiesSchema = new Ajv2020({ strictTypes: false, ownProperties: true }).compile(published);

const FOLDER = 'schemas/fixtures/valid/';
const VALID = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.yaml'))
  .map(
    (file) => parse(readFileSync(FOLDER + file, 'utf8'), { maxAliasCount: -1, stringKeys: true }) as Mutable,
  );

type Verdict = 'accepted' | 'yaml' | 'schema' | 'load';

/** The verdict of a whole registration, whatever group the document names and whatever units it uses. */
function verdictOf(yaml: string, document: Mutable): Verdict {
  const { apiVersion } = (document ?? {}) as { readonly apiVersion?: unknown };
  const apiGroups = [/^(.+)\/v1$/.exec(typeof apiVersion === 'string' ? apiVersion : '')?.[1] ?? 'flowgate'];
  const job = { yaml, apiGroups, inProcess: null, bound: [], language: LANGUAGE, ceilings: NO_CEILINGS };
  try {
    compileDocument({ ...job, wasAccepted: false, acceptedAs: null }, WORKFLOW_BOUNDS);
    return 'accepted';
  } catch (error) {
    if (error instanceof YamlLoadError) return 'load';
    if (!(error instanceof YamlValidationError)) throw error;
    return readText(yaml).ok ? 'schema' : 'yaml';
  }
}

/** Gives one of the first, and now and then one of the others. */
function usually<T>(usual: readonly T[], odd: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof(
    { weight: 80, arbitrary: fc.constantFrom(...usual) },
    { weight: 1, arbitrary: fc.constantFrom(...odd) },
  );
}

const ids = usually(['a', 'b', 'über', '2nd'], ['nobody', '', 'no id', '.a']);
const words = fc.constantFrom(
  'type',
  'do',
  'unit',
  'units',
  'order',
  'default',
  'if',
  'constructor',
  'loop',
  'dag',
  '',
);
const expressions = usually(
  ['true', 'input.n > 1', 'outputs.a == 1'],
  ['outputs.zz', '1 +', '', '${{ true }}', 'item'],
);
const anything = fc.jsonValue({ maxDepth: 2, noUnicodeString: true }) as fc.Arbitrary<Mutable>;

/** Gives mostly what the language has there, sometimes something else. */
function mostly<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | Mutable> {
  return fc.oneof({ weight: 80, arbitrary }, { weight: 1, arbitrary: anything });
}

/** Gives nothing, most of the time. */
function oddly<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 60, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

function mapOf(fields: Record<string, fc.Arbitrary<unknown>>, required: readonly string[]) {
  const record = fc.record(fields, { requiredKeys: required as never[] });
  return fc
    .tuple(record, oddly(fc.tuple(words, anything)))
    .map(([map, extra]) => (extra === undefined ? map : { ...map, [extra[0]]: extra[1] }));
}

const count = usually([1, 2, 10], [0, 10_001, 1_000_001, -1, 1.5]);
const { flow } = fc.letrec<{ flow: unknown; list: unknown; object: unknown }>((tie) => {
  const inner = mostly(tie('flow'));
  const some = mostly(tie('list'));
  const kind = (type: string, fields: Record<string, fc.Arbitrary<unknown>>, required: readonly string[]) =>
    mapOf({ type: mostly(fc.constant(type)), ...fields }, ['type', ...required]);
  return {
    flow: fc.oneof({ maxDepth: 4, withCrossShrink: true }, ids, tie('object')),
    list: fc.array(inner, { maxLength: 3 }),
    object: fc.oneof(
      kind('sequential', { order: some }, []),
      kind(
        'parallel',
        {
          units: some,
          reducer: inner,
          maxConcurrency: count,
          failureStrategy: usually(['fail-fast', 'best-effort'], ['none']),
        },
        ['units'],
      ),
      kind(
        'router',
        {
          routerUnit: inner,
          routes: mostly(fc.dictionary(usually(['x', 'a b'], ['default']), inner, { maxKeys: 2 })),
          default: inner,
        },
        ['routerUnit', 'routes'],
      ),
      kind(
        'switch',
        {
          cases: mostly(
            fc.array(mapOf({ if: mostly(expressions), do: inner }, ['if', 'do']), { maxLength: 2 }),
          ),
          default: inner,
        },
        ['cases'],
      ),
      kind('loop', { do: inner, maxIterations: count, until: expressions }, ['do']),
      kind('loop', { unit: inner, do: oddly(inner), untilStateKey: fc.constantFrom('done', 'output.a') }, [
        'unit',
      ]),
      kind(
        'foreach',
        {
          items: mostly(expressions),
          as: usually(['item', 'x'], ['2x']),
          do: inner,
          collect: usually(['all'], ['output.x']),
        },
        ['items', 'do'],
      ),
      kind(
        'dag',
        {
          executors: some,
          dependencies: mostly(fc.dictionary(ids, fc.array(ids, { maxLength: 2 }), { maxKeys: 2 })),
          planner: inner,
          aggregator: inner,
        },
        ['executors'],
      ),
      kind('delegation', { orchestrator: inner, specialists: some, maxRounds: count }, [
        'orchestrator',
        'specialists',
      ]),
    ),
  };
});

const policy = mapOf(
  {
    retry: mapOf(
      { maxAttempts: count, backoff: usually(['fixed'], ['linear']), jitter: mostly(fc.boolean()) },
      [],
    ),
    timeout: mapOf({ unitMs: count, workflowMs: count }, []),
    budget: mapOf({ maxTokens: count, onExceed: usually(['fail', 'pause'], ['stop']) }, []),
    concurrency: mapOf({ maxParallelUnits: count }, []),
  },
  [],
);

const unit = mapOf(
  {
    id: mostly(usually(['c', 'd'], ['a', '', 'no id'])),
    uses: mostly(usually(['acme.work', 'builtin.mock'], ['builtin.set', 'builtin.wait', 'builtin.none', ''])),
    config: mostly(usually<unknown>([{}], [{ values: { x: 1 } }, { response: '${{ input.n }}' }])),
    with: mostly(fc.constantFrom<unknown>({}, '${{ input }}', { a: ['${{ 1 + }}'] })),
    if: mostly(expressions),
    pause: usually(['before', 'after'], ['never']),
    policyOverrides: policy,
    contextPolicy: mostly(
      fc.constantFrom<unknown>(
        { state: 'none' },
        { state: ['n'] },
        { state: 'some' },
        { memory: { record: 'yes' } },
      ),
    ),
  },
  ['id', 'uses'],
);

/** Every unit that the flows name. */
const NAMED = ['a', 'b', 'über', '2nd'].map((id) => ({ id, uses: 'acme.work' }));

/** Documents by the grammar of the language, with a mistake here and there. */
const byTheGrammar = mapOf(
  {
    apiVersion: mostly(usually(['flowgate/v1', 'FlowGate/v1', 'acme.test/v1'], ['flowgate/v2'])),
    kind: mostly(fc.constant('Workflow')),
    metadata: mapOf(
      {
        id: mostly(usually(['x', 'ü 😀'], [''])),
        annotations: usually<unknown>([{ a: 'x' }, { a: 1.5, b: true }], [{ a: null }]),
        labels: mostly(fc.dictionary(words, fc.string({ maxLength: 3 }), { maxKeys: 2 })),
      },
      ['id'],
    ),
    spec: mapOf(
      {
        units: mostly(fc.array(unit, { maxLength: 1 }).map((more) => [...NAMED, ...more])),
        flow: mostly(flow),
        entry: ids,
        policy,
        input: mostly(fc.constantFrom<unknown>({}, { type: 'object' }, { type: 'objekt' })),
      },
      ['units', 'flow'],
    ),
  },
  ['apiVersion', 'kind', 'metadata', 'spec'],
) as fc.Arbitrary<Mutable>;

/** Valid documents with one thing changed. */
const changed = fc
  .tuple(
    fc.constantFrom(...VALID),
    fc.array(fc.nat(30), { minLength: 1, maxLength: 9 }),
    fc.oneof(fc.constant(undefined), words, anything),
    words,
  )
  .map(([document, steps, replacement, name]) => mutate(document, steps, replacement, name));

describe('the published schema and the service', () => {
  it('refuse the same documents: what only the service refuses is no matter of the schema', () => {
    const seen: Record<Verdict, number> = { accepted: 0, yaml: 0, schema: 0, load: 0 };
    const documents = fc.oneof({ weight: 2, arbitrary: byTheGrammar }, { weight: 1, arbitrary: changed });
    const cases = lawCases(4_000);
    const hasEnough = () => Math.min(seen.accepted, seen.schema, seen.load) > cases / 40;
    const showRound = () =>
      fc.assert(
        fc.property(documents, fc.boolean(), (document, isJson) => {
          const yaml = isJson ? JSON.stringify(document) : stringify(JSON.parse(JSON.stringify(document)));
          const verdict = verdictOf(yaml, document);
          seen[verdict] += 1;
          // A name that no text of YAML may have, such as << without quotes.
          if (verdict === 'yaml') return;
          expect({ yaml, isRefused: verdict === 'schema' }).toEqual({
            yaml,
            isRefused: !satisfiesSchema(JSON.parse(JSON.stringify(document))),
          });
        }),
        { numRuns: cases },
      );
    expect(shownUntil(hasEnough, showRound)).toBe(true);
  });
});
