import { readdirSync, readFileSync } from 'node:fs';

/** What the JSON next to a document says (`schemas/fixtures/README.md`). */
export interface Fixture {
  readonly reason: string;
  readonly stage?: 'yaml' | 'schema' | 'load';
  readonly apiGroups?: readonly string[];
  readonly faults?: readonly ExpectedFault[];
}

export interface ExpectedFault {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly message?: string;
  readonly syntax?: true;
}

const FIXTURES = 'schemas/fixtures';

/** The documents in a folder of the fixtures, as `<folder>/<name>`. */
export function fixturesIn(folder: 'valid' | 'invalid'): readonly string[] {
  return readdirSync(`${FIXTURES}/${folder}`)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => `${folder}/${file.slice(0, -'.yaml'.length)}`);
}

export function yamlFile(name: string): string {
  return `${FIXTURES}/${name}.yaml`;
}

export function yamlOf(name: string): string {
  return readFileSync(yamlFile(name), 'utf8');
}

export function fixtureOf(name: string): Fixture {
  return JSON.parse(readFileSync(`${FIXTURES}/${name}.json`, 'utf8')) as Fixture;
}
