// The proof of "a new kind of wait is one file and one line": puts one into a copy of the source, with the real registry, and
// has the compiler name every place that has still to decide. The list is pinned in new-wait/places.json: a place that is
// missing there has become silent, one that is new makes the next kind of wait dearer.
//
// Needs no build. `--print` prints the list and checks nothing.
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const COPY = '.tmp/new-wait';
const WAITS = join(COPY, 'src/engine/core/waits');
const REGISTRY = join(WAITS, 'registry.ts');
const PLACES = JSON.parse(readFileSync('tools/checks/new-wait/places.json', 'utf8'));

rmSync(COPY, { recursive: true, force: true });
mkdirSync(COPY, { recursive: true });
for (const file of globSync('src/**/*.ts')) if (!file.endsWith('.test.ts')) cpSync(file, join(COPY, file));
writeFileSync(
  join(COPY, 'tsconfig.json'),
  JSON.stringify({
    extends: '../../tsconfig.json',
    compilerOptions: {
      rootDir: '../..',
      paths: {
        'flowgate-client': ['../../clients/typescript/src/index.ts'],
        'flowgate/engine': ['./src/engine/index.ts'],
      },
    },
    include: ['src'],
    exclude: ['src/*/**/testing'],
  }),
);

const before = compile();
if (before.length > 0) stop('The copy does not compile as it is:', before);

cpSync('tools/checks/new-wait/bell.ts.txt', join(WAITS, 'bell.ts'));
const registry = readFileSync(REGISTRY, 'utf8');
const withBell = registry
  .replace(/^import /m, "import { bell } from './bell.js';\nimport ")
  .replace('  execution,\n', '  execution,\n  bell,\n');
if (withBell === registry) stop('waits/registry.ts has no list of kinds that begins with execution:', []);
writeFileSync(REGISTRY, withBell);

const errors = compile();
const places = [...new Set(errors.map((line) => line.replace(/\(\d+,\d+\).*/, '')))].sort();
if (process.argv.includes('--print')) {
  process.stdout.write(`${errors.join('\n')}\n`);
  process.exit();
}
const silent = PLACES.filter(({ file }) => !places.includes(file)).map(({ file }) => file);
const more = errors.filter((line) => !PLACES.some(({ file }) => line.startsWith(`${file}(`)));
if (silent.length > 0)
  stop('These no longer notice a new kind of wait (see tools/checks/new-wait/places.json):', silent);
if (more.length > 0) stop('These have to decide about a new kind of wait, and did not before:', more);
process.stdout.write(`A new kind of wait is one file, one line, and ${places.length} places that decide.\n`);

/** The errors of the copy, by path within the repository. */
function compile() {
  const tsc = 'node_modules/typescript/bin/tsc';
  const { stdout, status } = spawnSync(process.execPath, [tsc, '-p', COPY, '--noEmit', '--pretty', 'false'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const found = stdout
    .split('\n')
    .filter((line) => /^\S+\(\d+,\d+\): error TS/.test(line))
    .map((line) => line.replace(/^(\.\.\/)*/, '').replace(`${COPY}/`, ''));
  if (status !== 0 && found.length === 0) stop('The compiler failed:', [stdout]);
  return found;
}

function stop(message, lines) {
  process.stderr.write(`${message}\n${lines.map((line) => `  ${line}\n`).join('')}`);
  process.exit(1);
}
