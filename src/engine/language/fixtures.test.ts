import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { type Fault, YamlLoadError, YamlValidationError } from '../../errors/document-errors.js';
import { compileDocument } from '../definitions/compile-document.js';
import { NO_CEILINGS } from './ceilings.js';
import { WORKFLOW_BOUNDS } from './document-bounds.js';
import { LANGUAGE } from './language.js';
import { readDocument } from './reader/read-document.js';
import { workflowSchema } from './schema.js';
import { fixtureOf, fixturesIn, yamlOf } from '../../../test/support/language-fixtures.js';

interface Verdict {
  readonly stage: 'yaml' | 'schema' | 'load' | null;
  readonly faults: readonly Fault[];
}

/** Reads a document as an editor does: the keys are text, and aliases are not counted. */
const AS_TEXT = { maxAliasCount: -1, stringKeys: true } as const;
const satisfiesSchema = new Ajv2020({ strictTypes: false }).compile(workflowSchema());
const VALID = fixturesIn('valid');
const INVALID = fixturesIn('invalid');
const UNITS = [...new Set(VALID.flatMap((name) => yamlOf(name).match(/(?<=uses: )acme\.[\w.-]+/g) ?? []))];

/** The verdict of the reader of the clients, and then that of the service. */
function verdictOn(yaml: string, apiGroups: readonly string[] = ['flowgate']): Verdict {
  const reading = readDocument(yaml, { apiGroups });
  const load = { yaml, apiGroups, inProcess: UNITS, bound: [], language: LANGUAGE, ceilings: NO_CEILINGS };
  try {
    compileDocument({ ...load, wasAccepted: false, acceptedAs: null }, WORKFLOW_BOUNDS);
  } catch (error) {
    if (error instanceof YamlLoadError && reading.ok) return { stage: 'load', faults: error.details };
    if (!(error instanceof YamlValidationError) || reading.ok) throw error;
    expect(error.details).toEqual(reading.faults);
    return { stage: reading.stage, faults: reading.faults };
  }
  return { stage: null, faults: [] };
}

describe.each(VALID)('the valid document %s', (name) => {
  const yaml = yamlOf(name);
  const { apiGroups } = fixtureOf(name);

  it('passes every stage', () => {
    expect(verdictOn(yaml, apiGroups)).toEqual({ stage: null, faults: [] });
  });

  it('is read as the value that YAML gives', () => {
    const reading = readDocument(yaml, { apiGroups: apiGroups ?? ['flowgate'] });
    if (!reading.ok) throw new Error('It was refused.');
    expect(JSON.parse(JSON.stringify(reading.value))).toEqual(
      JSON.parse(JSON.stringify(parse(yaml, AS_TEXT))),
    );
  });
});

describe.each(INVALID)('the invalid document %s', (name) => {
  const yaml = yamlOf(name);
  const { stage, apiGroups, faults: expected = [] } = fixtureOf(name);

  it('is refused in its stage with exactly the expected faults', () => {
    const verdict = verdictOn(yaml, apiGroups);
    const places = verdict.faults.map(({ path, line, column }) => ({ path, line, column }));
    expect({ stage: verdict.stage, places }).toEqual({
      stage,
      places: expected.map(({ path, line, column }) => ({ path, line, column })),
    });
    for (const [index, fault] of expected.entries()) {
      expect(verdict.faults[index]!.message).toContain(fault.message ?? '');
    }
  });
});

describe('the fixtures', () => {
  it('are at least 40 that are valid and 120 together, each with a reason of its own', () => {
    expect(VALID.length).toBeGreaterThanOrEqual(40);
    expect(VALID.length + INVALID.length).toBeGreaterThanOrEqual(120);
    const reasons = [
      ...VALID.map((name) => fixtureOf(name).reason),
      ...INVALID.map((name) => fixtureOf(name).reason),
    ];
    expect(new Set(reasons).size).toBe(reasons.length);
    expect(reasons.filter((reason) => !/^\S.+\.$/.test(reason))).toEqual([]);
  });

  it('satisfy the published schema by itself unless it is the schema that refuses them', () => {
    const refused = [...VALID, ...INVALID].filter((name) => {
      const { stage, apiGroups } = fixtureOf(name);
      if (stage === 'yaml' || (stage === 'schema' && apiGroups !== undefined)) return false;
      return satisfiesSchema(parse(yamlOf(name), AS_TEXT)) !== (stage !== 'schema');
    });
    expect(refused).toEqual([]);
  });

  it('mark as syntax what the parser of YAML finds, and only that', () => {
    for (const name of INVALID) {
      const { stage, faults = [] } = fixtureOf(name);
      const marks = faults.filter(({ syntax }) => syntax === true);
      if (stage !== 'yaml') expect(marks).toEqual([]);
      else
        expect(marks.map(({ path }) => path)).toEqual(faults.filter(({ path }) => path === '').map(() => ''));
    }
  });
});
