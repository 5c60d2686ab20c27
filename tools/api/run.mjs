// `npm run test:api`: schemathesis against a live service, over what its own /openapi.json says. 1,000 cases, or as many
// as `-- --cases 20000` asks for; `--seed 7` repeats them. It is installed once, as pinned, into .tmp.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createHash, randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { seed } from './seeds.mjs';
import { NOT_TRIED, settingsFor } from './settings.mjs';

const MAX_MS_PER_CASE = 500;
const AT_LEAST_MS = 170_000;
/**
 * What the interface fixes as 500 is documented so, with its code: hooks.py looks at each fault. And what fits the schema can
 * be refused for what is there: a run that is unknown, a gate that is decided.
 */
const EXCLUDED = 'not_a_server_error,positive_data_acceptance';
const REQUIREMENTS = 'tools/api/requirements.txt';
/** What an operation gets of the cases at once; another round comes with another seed. */
const MAX_PER_OPERATION = 200;

const { values } = parseArgs({
  options: { cases: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } },
});
const wanted = Number(values.cases);
if (!Number.isSafeInteger(wanted) || wanted < 1) fail('--cases must be a whole number of at least 1');

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/** The schemathesis of the requirements, installed unless it is there. */
function schemathesis() {
  const pinned = readFileSync(REQUIREMENTS);
  const folder = resolve(
    '.tmp',
    `schemathesis-${createHash('sha256').update(pinned).digest('hex').slice(0, 12)}`,
  );
  const command = resolve(folder, 'bin/schemathesis');
  if (existsSync(resolve(folder, 'complete'))) return command;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync('.tmp', { recursive: true });
  const { error, status } = spawnSync('python3', ['-m', 'venv', folder], { stdio: 'inherit' });
  if (error?.code === 'ENOENT') {
    fail(
      'npm run test:api needs python3 (3.10 or newer) with its venv module: install it, and start this again.',
    );
  }
  if (status !== 0)
    fail('python3 -m venv failed: install the venv module of your python3, and start this again.');
  const pip = spawnSync(
    resolve(folder, 'bin/python'),
    ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps', '-r', REQUIREMENTS],
    { stdio: 'inherit' },
  );
  if (pip.status !== 0) fail(`pip could not install what ${REQUIREMENTS} names: see above.`);
  writeFileSync(resolve(folder, 'complete'), '');
  return command;
}

/** What makes the key of somebody who may do everything: as nobody asks, only half of the routes would be there. */
const BOOTSTRAP = randomBytes(32).toString('hex');

/** The built service on a free port. */
function startService() {
  const child = spawn(process.execPath, ['dist/main.js'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: '0',
      // Its line at info names the address.
      LOG_LEVEL: 'info',
      FLOWGATE_STORE: 'memory',
      FLOWGATE_AUTH: 'keys',
      FLOWGATE_BOOTSTRAP_KEY_SHA256: createHash('sha256').update(BOOTSTRAP).digest('hex'),
      FLOWGATE_RESUME_WAIT_MS: '50',
      // Whatever is registered at random calls nobody.
      FLOWGATE_ALLOWED_ADDRESSES: 'nowhere.invalid',
      FLOWGATE_SHUTDOWN_GRACE_MS: '0',
    },
  });
  return new Promise((done, failed) => {
    let said = '';
    child.stdout.on('data', (chunk) => {
      if (said.length < 10_000) said += chunk;
      const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
      if (address !== undefined) done({ address, child });
    });
    child.on('exit', (code) => failed(new Error(`the service ended with ${code}`)));
  });
}

function run(command, given, environment, timeout) {
  // What it leaves behind stays out of the way.
  const cwd = resolve('.tmp/schemathesis');
  mkdirSync(cwd, { recursive: true });
  const env = { ...process.env, ...environment };
  const child = spawn(command, given, { cwd, stdio: 'inherit', env, timeout });
  return new Promise((done, failed) => {
    child.on('error', failed);
    child.on('exit', (code, signal) => done(signal === null ? code : signal));
  });
}

const command = schemathesis();
// What it kept of earlier runs would change its cases: here they are those of a fresh clone, by the seed alone.
rmSync(resolve('.tmp/schemathesis'), { recursive: true, force: true });
const { address, child } = await startService();
const ended = new Promise((done) => child.once('exit', done));
let verdict = 1;
try {
  verdict = await testAt(address);
} finally {
  child.kill('SIGTERM');
  await ended;
}
process.exitCode = verdict;

async function firstKey(service) {
  const response = await fetch(`${service}/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${BOOTSTRAP}` },
    body: JSON.stringify({ owner: 'admin', grants: [{ namespace: '*', roles: ['admin'] }] }),
  });
  if (response.status !== 201) throw new Error(`no first key: ${await response.text()}`);
  return (await response.json()).secret;
}

async function testAt(service) {
  const authorization = `Bearer ${await firstKey(service)}`;
  const document = await (await fetch(`${service}/openapi.json`)).json();
  const operations = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  const settings = resolve('.tmp/schemathesis.toml');
  const report = resolve('.tmp/schemathesis-report.json');
  const until = Date.now() + Math.max(AT_LEAST_MS, wanted * MAX_MS_PER_CASE);
  const reached = new Map();
  const problems = [];
  let count = 0;
  let round = 0;
  for (; count < wanted; round += 1) {
    if (Date.now() > until) {
      problems.push(
        `only ${count} of ${wanted} cases in ${Math.round((until - Date.now()) / -1_000)} s too many`,
      );
      break;
    }
    writeFileSync(settings, settingsFor(await seed({ service, authorization }, round), authorization));
    const each = Math.min(
      MAX_PER_OPERATION,
      Math.max(5, Math.ceil((wanted - count) / operations.length / 3)),
    );
    const given = ['--config-file', settings, 'run', `${service}/openapi.json`, '--exclude-checks', EXCLUDED];
    const options = [
      '-n',
      String(each),
      '--seed',
      String(Number(values.seed) + round),
      '--continue-on-failure',
    ];
    const environment = { FLOWGATE_API_REPORT: report, PYTHONUTF8: '1' };
    const code = await run(command, [...given, ...options], environment, until - Date.now());
    const found = JSON.parse(readFileSync(report, 'utf8'));
    count += Object.values(found.cases).reduce((sum, one) => sum + one, 0);
    for (const [operation, times] of Object.entries(found.reached)) {
      reached.set(operation, (reached.get(operation) ?? 0) + times);
    }
    for (const fault of found.faults) problems.push(`an undocumented fault: ${JSON.stringify(fault)}`);
    if (code !== 0) problems.push(`schemathesis ended with ${code}: see above`);
    if (problems.length > 0) break;
  }
  const missing = operations.filter((operation) => !NOT_TRIED.includes(operation) && !reached.has(operation));
  if (missing.length > 0) problems.push(`no 2xx of ${missing.join(', ')}`);
  process.stdout.write(
    `${count} cases in ${round} round(s); 2xx: ${JSON.stringify(Object.fromEntries(reached))}\n`,
  );
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  return problems.length === 0 ? 0 : 1;
}
