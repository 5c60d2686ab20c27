// The official conformance suite: what a revision requires of a server, frozen with that revision. Every scenario passes,
// or stands in the baseline of its revision with the reason; also those that the suite runs and does not score.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { parse, parseDocument } from 'yaml';
import { run } from '../java/run.mjs';

const WITHIN_MS = 120_000;
/** That messages are well-formed says nothing about what a scenario is for. */
const OF_EVERY_SCENARIO = 'wire-schema-valid';
const HERE = resolve('tools', 'mcp');
const SUITE = join(HERE, 'node_modules', '@modelcontextprotocol', 'conformance');

/** Resolves to a sentence about what ran; `results` is a folder for what the suite finds. */
export async function conforms(address, revision, results) {
  const required = requiredBy(revision);
  const baseline = baselineOf(revision, required);
  const program = join(SUITE, 'dist', 'index.js');
  const flags = ['--url', `${address}/mcp`, '--requirements', revision, '--expected-failures', baseline.file];
  // Ends with 1 for a failure that is not in the baseline, and for what is in the baseline and passes.
  const verdict = await run(process.execPath, [program, 'server', ...flags, '--output-dir', results], {
    withinMs: WITHIN_MS,
  }).then(
    () => null,
    (error) => summaryIn(error.message),
  );
  const failures = failuresIn(results);
  const all = [...required.scored, ...required.notScored];
  assert.deepEqual([...failures.keys()].toSorted(), all.toSorted(), `not all scenarios ran: ${verdict}`);
  const isFailing = (scenario) => failures.get(scenario).length > 0;
  const isExpected = (scenario) => baseline.scenarios.has(scenario);
  const wrong = [
    ...required.scored.filter((scenario) => isFailing(scenario) && !isExpected(scenario)),
    ...required.notScored.filter((scenario) => isFailing(scenario) !== isExpected(scenario)),
  ];
  if (verdict !== null || wrong.length > 0) {
    const told = [...failures].flatMap(([scenario, lines]) =>
      isExpected(scenario) ? [] : lines.map((line) => `${scenario}:${line}`),
    );
    const others = wrong.map((scenario) => `${scenario} ${isFailing(scenario) ? 'fails' : 'passes'}`);
    throw new Error([verdict ?? '', 'Not as the baseline says:', ...others, ...told].join('\n'));
  }
  const passed = (scenarios) => scenarios.filter((scenario) => !isFailing(scenario)).length;
  const { scored, notScored } = required;
  return `${passed(scored)} of ${scored.length} required scenarios, ${passed(notScored)} of ${notScored.length} others`;
}

/** What the suite says at the end, of all that it says. */
function summaryIn(said) {
  return stripVTControlCharacters(said.slice(said.lastIndexOf('\nTotal: '))).trim();
}

/** The scenarios for servers, as the suite's own file has them. */
function requiredBy(revision) {
  const set = parse(readFileSync(join(SUITE, 'requirements', `${revision}.yaml`), 'utf8'));
  const scored = set.server;
  assert.ok(
    scored.length > 0,
    `${revision} requires nothing of a server: is this the right version of the suite?`,
  );
  const notScored = set.not_scored.filter(({ leg }) => leg === 'server').map(({ scenario }) => scenario);
  return { scored, notScored };
}

/** The suite takes an entry for a scenario that it does not know, and one without a reason: not here. */
function baselineOf(revision, { scored, notScored }) {
  const file = join(HERE, 'conformance', `${revision}.yaml`);
  const list = parseDocument(readFileSync(file, 'utf8')).get('server');
  const scenarios = new Set();
  for (const [index, { value, commentBefore }] of list.items.entries()) {
    // What stands before the first entry is read as what stands before the list.
    const reason = index === 0 ? list.commentBefore : commentBefore;
    assert.ok(reason, `${file}: no comment before ${value} gives the reason`);
    const [scenario] = value.split(':');
    const isKnown = scored.includes(scenario) || notScored.includes(scenario);
    assert.ok(isKnown, `${file}: the suite runs no ${scenario} for ${revision}: take it out`);
    scenarios.add(scenario);
  }
  return { file, scenarios };
}

/** What failed in each scenario that ran: a warning counts, for the suite as well, and that nothing was checked. */
function failuresIn(results) {
  const failures = new Map();
  for (const file of globSync('*/checks.json', { cwd: results })) {
    const scenario = basename(dirname(file)).replace(/^server-(.+?)-\d{4}-\d\d-\d\dT.*$/, '$1');
    const checks = JSON.parse(readFileSync(join(results, file), 'utf8'));
    const failed = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
    const lines = failed.map(({ id, status, errorMessage }) => `${id} ${status} ${errorMessage ?? ''}`);
    const isChecked = checks.some(({ id, status }) => status === 'SUCCESS' && id !== OF_EVERY_SCENARIO);
    failures.set(scenario, isChecked || lines.length > 0 ? lines : ['nothing was checked']);
  }
  return failures;
}
