import { readFileSync, readdirSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { parse } from 'yaml';
import { mutate, type Mutable } from '../../../../../test/language/support/mutate.js';
import type { JsonValue } from '../../../core/json.js';
import { PositionIndex } from '../positions/position-index.js';
import { workflowSchema } from '../../schema.js';
import { SourceText } from '../positions/source-text.js';
import { schemaFaults } from './validate-document.js';

const FIXTURES = new URL('../../../../../schemas/fixtures/valid/', import.meta.url);
const DOCUMENTS = readdirSync(FIXTURES)
  .filter((file) => file.endsWith('.yaml'))
  .map(
    (file) =>
      parse(readFileSync(new URL(file, FIXTURES), 'utf8'), {
        maxAliasCount: -1,
        stringKeys: true,
      }) as Mutable,
  );
const NOWHERE = new PositionIndex(new SourceText(''), null, new Map());
const satisfiesSchema = new Ajv2020({ strictTypes: false, ownProperties: true }).compile(workflowSchema());

function faults(value: JsonValue) {
  return schemaFaults(value, NOWHERE);
}

function withFlow(flow: JsonValue): JsonValue {
  return {
    apiVersion: 'flowgate/v1',
    kind: 'Workflow',
    metadata: { id: 'x' },
    spec: { units: [{ id: 'a', uses: 'b' }], flow },
  };
}

describe('checking a document in pieces', () => {
  it('gives the verdict of the whole schema, whatever is changed in a valid document', () => {
    const word = fc.constantFrom(
      'type',
      'do',
      'unit',
      'units',
      'order',
      'loop',
      'parallel',
      'router',
      'a',
      'default',
      'constructor',
      '',
    );
    const replacement = fc.oneof(
      word,
      fc.constant(undefined),
      fc.integer({ min: -1, max: 200 }),
      fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Mutable>,
      fc.record({ type: word, do: word, units: fc.array(word) }) as fc.Arbitrary<Mutable>,
    );
    const seen = { valid: 0, invalid: 0 };
    fc.assert(
      fc.property(
        fc.constantFrom(...DOCUMENTS),
        fc.array(fc.nat(30), { minLength: 1, maxLength: 9 }),
        replacement,
        word,
        (document, steps, changed, name) => {
          const value = mutate(document, steps, changed, name);
          const found = faults(value);
          seen[found.length === 0 ? 'valid' : 'invalid']++;
          expect(found.length === 0).toBe(satisfiesSchema(value));
        },
      ),
      { numRuns: 3_000 },
    );
    expect(Math.min(seen.valid, seen.invalid)).toBeGreaterThan(100);
  });

  it('reports a wrong field deep in a flow once, without a word about other flow types', () => {
    const deep = {
      type: 'loop',
      do: { type: 'switch', cases: [{ if: 'true', do: { type: 'parallel', unit: ['a'] } }] },
    };
    expect(faults(withFlow(deep)).map(({ path, message }) => [path, message])).toEqual([
      ['/spec/flow/do/cases/0/do/units', 'spec.flow.do.cases[0].do.units is required'],
      [
        '/spec/flow/do/cases/0/do/unit',
        'spec.flow.do.cases[0].do has an unknown field `unit`: did you mean `units`?',
      ],
    ]);
  });

  it('lists the fields that there are when no name is near', () => {
    expect(faults(withFlow({ type: 'sequential', zzz: 1 }))[0]!.message).toBe(
      'spec.flow has an unknown field `zzz`: it may have `type`, `order`',
    );
  });

  it('lists the values that an enumeration has', () => {
    expect(faults(withFlow({ type: 'parallel', units: ['a'], failureStrategy: 'ignore' }))[0]!.message).toBe(
      'spec.flow.failureStrategy must be one of `fail-fast`, `collect-errors`, `best-effort`, not `ignore`',
    );
  });

  it('bounds the faults, and what of the text goes into a message', () => {
    const many = faults(withFlow({ type: 'sequential', order: Array.from({ length: 5_000 }, () => ({})) }));
    expect(many).toHaveLength(100);
    const [long] = faults({ [`k${'x'.repeat(10_000)}`]: 1 }).filter((fault) =>
      fault.message.includes('unknown'),
    );
    expect(long!.message.length).toBeLessThan(200);
  });

  it('takes flows far deeper than a run could: their depth is the compiler’s matter', () => {
    let flow: JsonValue = 'a';
    for (let depth = 0; depth < 20_000; depth++) flow = { type: 'loop', do: flow };
    expect(faults(withFlow(flow))).toEqual([]);
  });

  it('takes texts, numbers, true and false as annotations, of a bounded length and number', () => {
    const annotated = (annotations: Record<string, JsonValue>) =>
      faults({ ...(withFlow('a') as object), metadata: { id: 'x', annotations } }).map(
        ({ message }) => message,
      );
    expect(annotated({ text: 'x'.repeat(1_024), number: 1.5, yes: true, no: false })).toEqual([]);
    expect(annotated({ list: ['x'], none: null, long: 'x'.repeat(1_025) })).toEqual([
      expect.stringMatching(
        /^metadata\.annotations\.list must be text or a number or true or false, not a list/,
      ),
      expect.stringMatching(
        /^metadata\.annotations\.none must be text or a number or true or false, not empty/,
      ),
      'metadata.annotations.long must have at most 1024 characters',
    ]);
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`a${i}`, i]));
    expect(annotated(many)).toEqual(['metadata.annotations must have at most 100 entries']);
  });

  it('names a bad key of a map of names', () => {
    const flow = { type: 'dag', executors: ['a'], dependencies: { 'not an id': ['a'] } };
    expect(faults(withFlow(flow))).toMatchObject([
      {
        path: '/spec/flow/dependencies/not an id',
        message: expect.stringContaining('has a name that must be a unit id') as string,
      },
    ]);
  });
});
