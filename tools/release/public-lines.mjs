import { readFileSync } from 'node:fs';
import { exportedLines } from './exports.mjs';
import { flattened, withoutProse } from './flatten.mjs';

const json = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** All that is public, as lines, by area. What is told in prose alone (docs/compatibility.md) is not here. */
export const AREAS = {
  exports: exportedLines,
  openapi: () => {
    const { paths, components } = json('schemas/openapi.json');
    return [...operationLines(paths), ...flattened(components.schemas, '', true)];
  },
  'workflow-language': () => flattened(json('schemas/workflow.v1.schema.json')),
  events: () => flattened(json('schemas/run-events.v1.schema.json')),
  settings: () => settingsIn(readFileSync('docs/operate.md', 'utf8')),
  'exit-codes': () => exitCodesIn(readFileSync('src/cli/exit-code.ts', 'utf8')),
};

/** Of each operation what it takes, and each of its answers. */
function operationLines(paths) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters = [], requestBody, responses }]) => {
      const operation = `${method.toUpperCase()} ${path}`;
      return [
        ...parameters.map(({ name, ...rest }) => `${operation} › ${name}: ${withoutProse(rest)}`),
        ...(requestBody === undefined ? [] : [`${operation} › body: ${withoutProse(requestBody)}`]),
        ...Object.entries(responses).map(
          ([status, rest]) => `${operation} › ${status}: ${withoutProse(rest)}`,
        ),
      ];
    }),
  );
}

/** The rows of the settings: the name, the default and what is allowed. A test holds the table to the code. */
function settingsIn(page) {
  return page
    .split('\n')
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
    .filter(([, name = '']) => /^`[A-Z][A-Z_]+`$/.test(name))
    .map(([, name, fallback, allowed]) => `${name}: ${fallback}; ${allowed}`)
    .sort();
}

function exitCodesIn(code) {
  return [...code.matchAll(/^ {2}(\w+): (\d+),/gm)].map(([, name, number]) => `${name}: ${number}`);
}
