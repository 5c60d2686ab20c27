// npm run test:mutants: changes the engine's core and runtime in a sample of places, one at a time, and asks whether a
// test notices. Stopped, it goes on where it was; see docs/decisions/0013.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { measure } from './baseline.mjs';
import { killAll } from './jest.mjs';
import { report } from './report.mjs';
import { instrument, layOut, sample, treeHash } from './sandbox.mjs';
import { judge, Kills } from './verdict.mjs';

const { values: options } = parseArgs({
  options: {
    sample: { type: 'string', default: '400' },
    seed: { type: 'string', default: 'flowgate' },
    jobs: { type: 'string', default: String(Math.min(2, availableParallelism())) },
    minutes: { type: 'string' },
    fresh: { type: 'boolean', default: false },
    survivors: { type: 'boolean', default: false },
  },
});

const FOLDER = resolve('.tmp/mutants');
const PLAN = join(FOLDER, 'plan.json');
const BASELINE = join(FOLDER, 'baseline.json');
const RESULTS = join(FOLDER, 'results.jsonl');
const UNFINISHED = 2;

const log = (text) => process.stdout.write(`${text}\n`);
const readJson = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null);

/** A file is there whole or not at all, whenever the run is stopped. */
function write(file, text) {
  writeFileSync(`${file}.part`, text);
  renameSync(`${file}.part`, file);
}

/** The verdicts so far. A line that was cut short when the run was stopped goes, and its mutant is tried again. */
function readResults() {
  if (!existsSync(RESULTS)) return [];
  const lines = readFileSync(RESULTS, 'utf8').split('\n');
  const whole = lines.slice(0, -1);
  if (lines.at(-1) !== '') write(RESULTS, whole.map((line) => `${line}\n`).join(''));
  return whole.map((line) => JSON.parse(line));
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(UNFINISHED));
process.on('exit', killAll);

/** Draws the mutants and lays out the sandboxes. Whatever was known of an earlier run is gone. */
async function begin(earlier) {
  const tree = treeHash();
  const { files, mutants } = await instrument();
  const drawn = sample(mutants, Number(options.sample), options.seed);
  const plan = {
    tree,
    seed: options.seed,
    size: Number(options.sample),
    jobs: Number(options.jobs),
    of: mutants.length,
  };
  if (earlier === null) Object.assign(plan, { mutants: drawn, carried: 0 });
  else {
    const again = mutants.filter(({ key }) => earlier.survivors.has(key));
    Object.assign(plan, { mutants: again, carried: earlier.killed });
  }
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  for (let job = 0; job < plan.jobs; job += 1) layOut(join(FOLDER, `sandbox-${job}`), files);
  write(PLAN, JSON.stringify(plan, null, 1));
  return plan;
}

/** The plan to go on with, or a new one. */
async function choosePlan() {
  const plan = readJson(PLAN);
  if (plan === null || options.fresh) return begin(null);
  const results = readResults();
  const same = plan.tree === treeHash() && plan.seed === options.seed && plan.size === Number(options.sample);
  if (options.survivors && results.length >= plan.mutants.length) {
    const survivors = new Set(results.filter(({ status }) => status === 'survived').map(({ key }) => key));
    return begin({ survivors, killed: plan.carried + results.length - survivors.size });
  }
  if (results.length >= plan.mutants.length) return same ? plan : begin(null);
  log(`Goes on: ${results.length} of ${plan.mutants.length} mutants are done.`);
  if (!same)
    log('The sources or options are others now; it goes on with those it began with (--fresh: begins anew).');
  return plan;
}

const plan = await choosePlan();
const jobs = Math.min(plan.jobs, Number(options.jobs));
const sandboxes = Array.from({ length: jobs }, (_, job) => join(FOLDER, `sandbox-${job}`));
log(`${plan.mutants.length} of ${plan.of} mutants, ${jobs} at a time.`);

let baseline = readJson(BASELINE);
if (baseline === null) {
  baseline = await measure(sandboxes, log);
  write(BASELINE, JSON.stringify(baseline));
}
for (const { file, why } of baseline.leftOut) log(`left out: ${file}: ${why}`);

const results = readResults();
const done = new Set(results.map(({ key }) => key));
const queue = plan.mutants.filter(({ key }) => !done.has(key));
const kills = new Kills();
const files = new Map(plan.mutants.map(({ key, file }) => [key, file]));
for (const { key, by } of results) kills.add(files.get(key), by);

const began = Date.now();
const deadline = options.minutes === undefined ? Infinity : began + Number(options.minutes) * 60_000;
await Promise.all(
  sandboxes.map(async (sandbox) => {
    while (queue.length > 0 && Date.now() < deadline) {
      const mutant = queue.shift();
      const start = Date.now();
      const verdict = await judge({ mutant, sandbox, tests: baseline.tests, kills });
      const result = { key: mutant.key, ...verdict, seconds: Math.round((Date.now() - start) / 100) / 10 };
      appendFileSync(RESULTS, `${JSON.stringify(result)}\n`);
      results.push(result);
      kills.add(mutant.file, verdict.by);
      log(
        `${results.length}/${plan.mutants.length} ${verdict.status} in ${result.seconds} s: ` +
          `${mutant.file}:${mutant.line} ${mutant.mutator}`,
      );
    }
  }),
);

const enough = report({ plan, results, leftOut: baseline.leftOut, file: join(FOLDER, 'survivors.md'), log });
if (results.length < plan.mutants.length) {
  log('Not finished: start it again to go on.');
  process.exitCode = UNFINISHED;
} else process.exitCode = enough ? 0 : 1;
