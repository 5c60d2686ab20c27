import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

/** In per cent; a mutant that takes too long counts as killed. */
const ENOUGH = 92;

const fence = (text) =>
  text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');

/** Writes the survivors for a person to read, and says the score. Answers whether enough mutants were killed. */
export function report({ plan, results, leftOut, file, log }) {
  const byKey = new Map(results.map((result) => [result.key, result]));
  const count = (status) => results.filter((result) => result.status === status).length;
  const survivors = plan.mutants
    .filter(({ key }) => byKey.get(key)?.status === 'survived')
    .sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
  const all = results.length + plan.carried;
  const score = all === 0 ? 0 : (100 * (all - survivors.length)) / all;

  const earlier = plan.carried === 0 ? '' : `, ${plan.carried} killed by the run before`;
  const summary =
    `${score.toFixed(1)} % killed: ${count('killed')} by a test, ${count('timeout')} by taking too long` +
    `${earlier}; ${survivors.length} survived (seed ${plan.seed}, ${results.length} of ${plan.mutants.length} tried, ` +
    `drawn from ${plan.of}).`;
  const sections = survivors.map(({ key, file: source, line, mutator, original, replacement }) => {
    const { detail, ran } = byKey.get(key);
    return [
      `## ${source}:${line} ${mutator}`,
      fence(original),
      'became',
      fence(replacement),
      `${ran} test files ran; ${detail}.`,
    ];
  });
  const without = leftOut.map((out) => `- left out: ${out.file}: ${out.why}`).join('\n');
  writeFileSync(file, `${['# Survivors', summary, without, ...sections.flat()].join('\n\n')}\n`);

  log(summary);
  log(`Survivors: ${relative('.', file)}. At least ${ENOUGH} % must be killed.`);
  return score >= ENOUGH;
}
