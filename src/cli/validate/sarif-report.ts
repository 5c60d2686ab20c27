import { isAbsolute, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { VERSION } from '../../config/version.js';
import type { Fault } from '../../errors/document-errors.js';
import { jsonText, print } from '../terminal/output.js';
import type { CheckedFile } from './checked-file.js';
import type { Report } from './report.js';

const RULES = [
  { id: 'YamlValidationError', text: 'The text is YAML and satisfies the schema of the workflow language.' },
  { id: 'YamlLoadError', text: 'Names exist, expressions compile, and flows have no cycles.' },
  { id: 'warning', text: 'The document says what is meant.' },
  { id: 'unanswered', text: 'The server knows the names that units use.' },
] as const;
type Level = 'error' | 'warning' | 'note';

/** The report for code scanners: SARIF 2.1.0, one run. */
export function sarifReport(): Report {
  const results: object[] = [];
  return {
    async add(checked) {
      results.push(...resultsOf(checked));
    },
    async end(isCut) {
      await print(jsonText(sarifLog(results, isCut), true));
    },
  };
}

function sarifLog(results: readonly object[], isCut: boolean): object {
  const notification = {
    level: 'warning',
    message: { text: 'There are more faults than this: the rest was not looked at.' },
  };
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'flowgate',
            version: VERSION,
            rules: RULES.map(({ id, text }) => ({ id, shortDescription: { text } })),
          },
        },
        invocations: [
          { executionSuccessful: true, ...(isCut ? { toolExecutionNotifications: [notification] } : {}) },
        ],
        columnKind: 'utf16CodeUnits',
        results,
      },
    ],
  };
}

function* resultsOf({ file, type, faults, warningDetails, unanswered }: CheckedFile): Iterable<object> {
  for (const fault of faults) {
    const rule = type ?? 'YamlLoadError';
    yield result(rule, 'error', fault.message, locationOf(file, fault));
  }
  for (const warning of warningDetails)
    yield result('warning', 'warning', warning.message, locationOf(file, warning));
  for (const name of unanswered)
    yield result('unanswered', 'note', `The server has to know ${name}.`, locationOf(file));
}

function result(ruleId: (typeof RULES)[number]['id'], level: Level, text: string, location: object): object {
  const ruleIndex = RULES.findIndex(({ id }) => id === ruleId);
  return { ruleId, ruleIndex, level, message: { text }, locations: [location] };
}

function locationOf(file: string, fault?: Fault): object {
  const artifactLocation = { uri: uriOf(file) };
  if (fault === undefined) return { physicalLocation: { artifactLocation } };
  const { line, column, path } = fault;
  const region = line === null ? {} : { region: { startLine: line, startColumn: column } };
  const names = path === '' ? {} : { logicalLocations: [{ fullyQualifiedName: path }] };
  return { physicalLocation: { artifactLocation, ...region }, ...names };
}

function uriOf(file: string): string {
  if (isAbsolute(file)) return pathToFileURL(file).href;
  return file.split(sep).map(encodeURIComponent).join('/');
}
