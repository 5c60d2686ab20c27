// `npm run test:java`: builds and tests the Java client from an empty local repository, as somebody does who has never
// built it; again on a newer JDK, where threads and sockets of the HTTP client can be ended at once; then uses what was
// built as others do: a project on the class path, the same as a module, and the example.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { checkJar } from './jar-contents.mjs';
import { defaultJdk, newestJdk, program } from './jdks.mjs';
import { run } from './run.mjs';
import { withService } from './service.mjs';

const OLDEST = 17;
/** From here on `HttpClient` can be closed. */
const CLOSES_AT_ONCE = 21;
const CYCLONE_DX = 'org.cyclonedx:cyclonedx-maven-plugin:2.9.1';
const ALLOWED_LICENCES = new Set(['Apache-2.0', 'MIT']);
const BUILD_WITHIN_MS = 600_000;
const RUN_WITHIN_MS = 60_000;

const client = resolve('clients', 'java');
const consumer = join(client, 'consumer');
const example = resolve('examples', '09-java');

const jdk = defaultJdk();
if (jdk.version < OLDEST) {
  fail(`The Java client is built by a JDK of ${OLDEST} or later; ${jdk.home} is ${jdk.version}.`);
}
await run('mvn', ['--version'], { withinMs: RUN_WITHIN_MS }).catch(() =>
  fail('The Java client is built by Maven: install Maven 3.8.7 or later (Debian: the package maven).'),
);
if (!existsSync(resolve('dist', 'main.js'))) fail('dist/main.js is missing: run `npm run build` first.');

const repository = mkdtempSync(join(tmpdir(), 'flowgate-maven-'));
process.once('exit', () => rmSync(repository, { recursive: true, force: true, maxRetries: 10 }));
try {
  await timed(`mvn clean verify, from an empty local repository, on Java ${jdk.version}`, async () => {
    await mvn(client, ['clean', 'verify']);
    return testsIn(client);
  });
  await onANewerJdk();
  await timed(
    'the jars, as published: one package exported, nothing of others within; what it brings, with licences',
    inTheJar,
  );
  await timed('a project that depends on it, on the class path and as a module', () => withService(consume));
  await timed('examples/09-java', () => withService(playExample));
} catch (error) {
  fail(error.message);
}

async function onANewerJdk() {
  const newer = newestJdk(CLOSES_AT_ONCE, jdk);
  if (newer !== null && newer.version > jdk.version) {
    await timed(`the same classes and tests on Java ${newer.version}`, async () => {
      const skipped = ['-Dmaven.javadoc.skip', '-Dmaven.source.skip'];
      await mvn(client, ['verify', `-Djvm=${program(newer.home, 'java')}`, ...skipped]);
      return testsIn(client);
    });
  } else if (jdk.version < CLOSES_AT_ONCE) {
    const missing = `there is no JDK of ${CLOSES_AT_ONCE} or later here, or no variable such as JAVA_HOME_${CLOSES_AT_ONCE} names it`;
    if (process.env.CI)
      throw new Error(`The suite must run on a newer JDK, too, and ${missing}: install one.`);
    say(`skipped: the suite on a newer JDK; ${missing}.`);
  }
}

async function inTheJar() {
  await mvn(client, ['install', '-DskipTests']);
  const installed = readdirSync(join(repository, 'io', 'flowgate', 'flowgate-client', '0.1.0'));
  for (const end of ['.jar', '.pom', '-sources.jar', '-javadoc.jar']) {
    assert.ok(installed.includes(`flowgate-client-0.1.0${end}`), `what would be published has no ${end}`);
  }
  await mvn(client, [
    `${CYCLONE_DX}:makeBom`,
    '-DoutputFormat=json',
    '-DoutputName=bill-of-materials',
    '-DincludeTestScope=false',
  ]);
  const { components } = JSON.parse(readFileSync(join(client, 'target', 'bill-of-materials.json'), 'utf8'));
  for (const { name, licenses = [] } of components) {
    const ids = licenses.map(({ license }) => license?.id);
    assert.ok(
      ids.length > 0 && ids.every((id) => ALLOWED_LICENCES.has(id)),
      `${name} is under ${ids.join(', ') || 'no licence'}`,
    );
  }
  await mvn(consumer, ['clean', 'package']);
  const jar = join(client, 'target', 'flowgate-client-0.1.0.jar');
  await checkJar(jdk.home, jar, join(consumer, 'target', 'dependencies'));
}

async function consume(address) {
  const classes = join(consumer, 'target', 'classes');
  const dependencies = join(consumer, 'target', 'dependencies');
  const path = [classes, pathOf(dependencies)].join(delimiter);
  const modules = [classes, dependencies].join(delimiter);
  const main = 'com.example.orders.Main';
  for (const how of [
    ['-cp', path, main],
    ['-p', modules, '-m', `com.example.orders/${main}`],
  ]) {
    await run(program(jdk.home, 'java'), [...how, address], { withinMs: RUN_WITHIN_MS });
  }
}

async function playExample(address) {
  const env = { FLOWGATE_URL: address };
  const said = await mvn(example, ['clean', 'compile', 'exec:java'], env);
  for (const line of readFileSync(join(example, 'README.md'), 'utf8').match(/^It (waits|is over): .+$/gm)) {
    assert.ok(said.includes(line), `the example did not print what its page shows: ${line}`);
  }
}

function mvn(cwd, args, env) {
  const always = ['--batch-mode', '--no-transfer-progress', `-Dmaven.repo.local=${repository}`];
  return run('mvn', [...always, ...args], {
    cwd,
    withinMs: BUILD_WITHIN_MS,
    env: { JAVA_HOME: jdk.home, ...env },
  });
}

/** All jars of a folder, as a class path. */
function pathOf(folder) {
  const jars = readdirSync(folder).filter((name) => name.endsWith('.jar'));
  assert.ok(jars.length > 1, `${folder} holds no jars`);
  return jars.map((name) => join(folder, name)).join(delimiter);
}

function testsIn(project) {
  let [tests, skipped] = [0, 0];
  for (const kind of ['surefire', 'failsafe']) {
    const folder = join(project, 'target', `${kind}-reports`);
    for (const name of readdirSync(folder).filter((file) => /^TEST-.*\.xml$/.test(file))) {
      // The counts at the head of a report leave out those of classes with parameters.
      const report = readFileSync(join(folder, name), 'utf8');
      tests += report.split('<testcase ').length - 1;
      skipped += report.split(/<skipped[ />]/).length - 1;
    }
  }
  assert.ok(tests > 0, 'no test ran');
  return `${tests} tests${skipped === 0 ? '' : `, ${skipped} of them skipped`}`;
}

async function timed(what, work) {
  const begun = performance.now();
  const found = await work();
  const seconds = Math.round((performance.now() - begun) / 1_000);
  say(`${what}: ${found === undefined ? '' : `${found}, `}${seconds} s`);
}

function say(text) {
  process.stdout.write(`${text}\n`);
}

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
