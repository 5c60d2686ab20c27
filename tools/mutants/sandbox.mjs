import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';

const MUTATED = ['src/engine/core/**/*.ts', 'src/engine/runtime/**/*.ts'];
const CALLS = ['CallExpression', 'OptionalCallExpression', 'NewExpression'];
const LOG_METHODS = ['debug', 'info', 'warn', 'error'];
const QUIET = {
  isDebugEnabled: () => false,
  debug() {},
  info() {},
  warn: console.warn,
  error: console.error,
};

const sha256 = (text) => createHash('sha256').update(text).digest('hex');

/** What git tracks or would track: the working tree as it is, without what it ignores. */
function workingTree() {
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return [...new Set(list.split('\0'))]
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile())
    .sort();
}

/** Changes when a verdict could: with any source, test, fixture or configuration. */
export function treeHash() {
  const relevant = workingTree().filter((file) =>
    /^(src|test|schemas|examples|tools)\/|^[^/]+\.(js|json)$/.test(file),
  );
  return sha256(relevant.map((file) => `${file}\0${sha256(readFileSync(file))}`).join('\n'));
}

/** Every mutant of the working tree, and the files that hold them all, each off until it is switched on. */
export async function instrument() {
  const files = globSync(MUTATED)
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !file.endsWith('.test.ts'))
    .sort()
    .map((name) => ({ name, mutate: true, content: readFileSync(name, 'utf8') }));
  const result = await new Instrumenter(QUIET).instrument(files, {
    plugins: null,
    excludedMutations: [],
    ignorers: [{ shouldIgnore: textForPeople }],
  });
  const sources = new Map(files.map(({ name, content }) => [name, content]));
  const counts = new Map();
  const mutants = result.mutants
    .filter(({ status }) => status !== 'Ignored')
    .map((mutant) => describe(mutant, sources.get(mutant.fileName), counts));
  return { files: result.files, mutants };
}

/** A text in the arguments of a logger's method or of a new error: changed, it changes what a person reads, no more. */
function textForPeople(path) {
  if (!path.isStringLiteral() && !path.isTemplateLiteral()) return undefined;
  const around = path.findParent((each) => CALLS.includes(each.type) || each.isFunction())?.node;
  if (around === undefined || !CALLS.includes(around.type)) return undefined;
  const { name, object, property } = around.callee;
  if (around.type === 'NewExpression') return name?.endsWith('Error') ? 'the message of an error' : undefined;
  if (object === undefined || !LOG_METHODS.includes(property.name)) return undefined;
  return /log(ger)?$/i.test(object.name ?? object.property?.name ?? '') ? 'a log message' : undefined;
}

/**
 * The key names a mutant by what it changes, not where: it stays the same when the file is moved or other lines of it
 * change, and so does the sample that is drawn by it.
 */
function describe({ id, fileName, location, mutatorName, replacement }, source, counts) {
  const { start, end } = location;
  const lines = source.split('\n').slice(start.line, end.line + 1);
  const context = `${lines[0].slice(0, start.column).trimStart()}…`;
  lines[lines.length - 1] = lines.at(-1).slice(0, end.column);
  lines[0] = lines[0].slice(start.column);
  const original = lines.join('\n');
  const content = [mutatorName, context, original, replacement].join('\0');
  const ordinal = counts.get(content) ?? 0;
  counts.set(content, ordinal + 1);
  const key = sha256(`${content}\0${ordinal}`).slice(0, 16);
  return { id, key, file: fileName, line: start.line + 1, mutator: mutatorName, original, replacement };
}

/** `size` of the mutants, the same ones for the same seed. */
export function sample(mutants, size, seed) {
  const rank = new Map(mutants.map((mutant) => [mutant, sha256(`${seed}\0${mutant.key}`)]));
  return [...mutants].sort((a, b) => (rank.get(a) < rank.get(b) ? -1 : 1)).slice(0, size);
}

/** A copy of the working tree with the instrumented files in it. Its packages are those of the repository. */
export function layOut(sandbox, instrumented) {
  rmSync(sandbox, { recursive: true, force: true });
  for (const file of workingTree()) {
    mkdirSync(dirname(join(sandbox, file)), { recursive: true });
    copyFileSync(file, join(sandbox, file));
  }
  for (const { name, content } of instrumented) writeFileSync(join(sandbox, name), content);
  symlinkSync(resolve('node_modules'), join(sandbox, 'node_modules'), 'junction');
}
