// `npm run prose`: the English of the docs. Fails where a page breaks a rule more often than limits.json lists; `--renew` lowers those
// limits, and pages that are named are shown with all that they break.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { compare, lowered } from './ratchet.mjs';
import { rulesWith } from './rules.mjs';
import { spelling } from './spelling.mjs';

const LIMITS = new URL('limits.json', import.meta.url);
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'ARCHITECTURE.md',
  'docs/**/*.md',
  'clients/*/README.md',
  'examples/*/README.md',
];

const isRenewed = process.argv.includes('--renew');
const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const findingsOf = rulesWith(JSON.parse(readFileSync(new URL('words.json', import.meta.url), 'utf8')));
const pages = globSync(PAGES)
  .map((path) => path.replaceAll('\\', '/'))
  // Decisions keep the words of their day.
  .filter((path) => !path.startsWith('docs/decisions/'));
const findings = Object.fromEntries(pages.map((page) => [page, findingsOf(readFileSync(page, 'utf8'))]));
const unknown = named.filter((path) => !pages.includes(path));

if (unknown.length > 0) fail([`No page of the docs: ${unknown.join(', ')}. Name it as in docs/cli.md`]);
else if (named.length > 0) for (const page of named) show(page);
else check();

function show(page) {
  for (const [rule, found] of Object.entries(findings[page]))
    for (const { line, says } of found) process.stdout.write(`${page}:${line}: ${rule}: ${says}\n`);
}

function check() {
  const limits = JSON.parse(readFileSync(LIMITS, 'utf8'));
  const counts = Object.fromEntries(
    Object.entries(findings).map(([page, rules]) => [
      page,
      Object.fromEntries(Object.entries(rules).map(([rule, found]) => [rule, found.length])),
    ]),
  );
  const { grown, shrunk } = compare(counts, limits);
  if (isRenewed) writeFileSync(LIMITS, `${JSON.stringify(lowered(counts, limits), null, 2)}\n`);
  for (const page of new Set(grown.map((difference) => difference.page))) show(page);
  fail([
    ...grown.map(({ page, rule, count, limit }) => `${page}: ${rule}: ${count}, and ${limit} are listed`),
    ...(isRenewed || shrunk.length === 0
      ? []
      : [
          ...shrunk.map(
            ({ page, rule, count, limit }) => `${page}: ${rule}: ${count}, fewer than the ${limit} listed`,
          ),
          'Keep what is better now: npm run prose -- --renew',
        ]),
    ...spelling(pages),
  ]);
}

function fail(faults) {
  if (faults.length === 0) return;
  process.stderr.write(`${faults.join('\n')}\n`);
  process.exitCode = 1;
}
