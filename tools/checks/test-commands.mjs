// Which command runs which test file: every file belongs to exactly one, and each command is run by `npm run verify`. A test that
// nobody runs is worse than none. The laws are run twice on purpose: with few cases by `npm test`, with all by `test:laws`.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
const AGAIN = new Set(['jest.laws.config.js']);

/** The command that runs each configuration, `npm test` the one without a name. */
const configurations = readdirSync('.').filter((file) => /^jest\.([\w-]+\.)?config\.js$/.test(file));
/** A command that has more than one configuration has its name before a dash. */
const commandOf = (file) => (file === 'jest.config.js' ? 'test' : `test:${file.split(/[.-]/)[1]}`);

const listed = (file) =>
  execFileSync(
    process.execPath,
    ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--config', file, '--listTests', '--json'],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );

const commands = new Map();
const faults = [];
for (const file of configurations) {
  const command = commandOf(file);
  const isRun = [scripts['verify'], scripts['verify:rest']].some((script) =>
    new RegExp(`npm (run )?${command}( |$)`).test(script),
  );
  if (scripts[command] === undefined) faults.push(`${file}: there is no script ${command}`);
  else if (!isRun) faults.push(`npm run verify does not run ${command}`);
  if (AGAIN.has(file)) continue;
  for (const path of JSON.parse(listed(file))) {
    const name = relative('.', path);
    commands.set(name, [...(commands.get(name) ?? []), command]);
  }
}

const all = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.test.ts'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((name) => name !== '');
for (const name of all) {
  const by = commands.get(name) ?? [];
  if (by.length === 0) faults.push(`${name} is run by no command`);
  if (by.length > 1) faults.push(`${name} is run by ${by.join(' and ')}`);
}

const counts = new Map();
for (const [command] of commands.values()) counts.set(command, (counts.get(command) ?? 0) + 1);
for (const [command, count] of counts)
  process.stdout.write(`${String(count).padStart(5)} test files  npm run ${command}\n`);
if (faults.length > 0) {
  process.stderr.write(`${faults.join('\n')}\n`);
  process.exitCode = 1;
}
