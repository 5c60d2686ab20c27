import { readFileSync, readdirSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { YamlValidationError } from '../../errors/document-errors.js';
import { type ParsedDocument, parseDocument } from './parse-document.js';
import { workflowSchema } from './schema.js';

interface Expectation {
  readonly foundBy: 'yaml' | 'schema' | 'setting';
  readonly faults: readonly { path: string; line: number; column: number; message: string }[];
}

const FIXTURES = new URL('../../../schemas/fixtures/', import.meta.url);
const satisfiesSchema = new Ajv2020({ strictTypes: false }).compile(workflowSchema());

function names(folder: string): string[] {
  return readdirSync(new URL(`${folder}/`, FIXTURES))
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length));
}

function read(file: string): string {
  return readFileSync(new URL(file, FIXTURES), 'utf8');
}

function parsed(yaml: string): ParsedDocument {
  return parseDocument(yaml, { apiGroups: ['flowgate'] });
}

function refusal(yaml: string): YamlValidationError {
  try {
    parsed(yaml);
  } catch (error) {
    if (error instanceof YamlValidationError) return error;
    throw error;
  }
  throw new Error('The document was accepted.');
}

describe.each(names('valid'))('the valid document %s', (name) => {
  const yaml = read(`valid/${name}.yaml`);

  it('is parsed into the value that YAML gives', () => {
    const value: unknown = parse(yaml);
    expect(JSON.parse(JSON.stringify(parsed(yaml).document))).toEqual(JSON.parse(JSON.stringify(value)));
  });

  it('satisfies the published schema by itself', () => {
    satisfiesSchema(parse(yaml));
    expect(satisfiesSchema.errors ?? []).toEqual([]);
  });
});

describe.each(names('invalid'))('the invalid document %s', (name) => {
  const yaml = read(`invalid/${name}.yaml`);
  const expected = JSON.parse(read(`invalid/${name}.json`)) as Expectation;

  it('is refused with exactly the expected faults', () => {
    const { details } = refusal(yaml);
    expect(details.map(({ path, line, column }) => ({ path, line, column }))).toEqual(
      expected.faults.map(({ path, line, column }) => ({ path, line, column })),
    );
    for (const [index, fault] of expected.faults.entries()) {
      expect(details[index]!.message).toContain(fault.message);
    }
  });

  it('is refused by the published schema alone where the schema is to find it', () => {
    if (expected.foundBy === 'yaml') return;
    expect(satisfiesSchema(parse(yaml))).toBe(expected.foundBy === 'setting');
  });
});
