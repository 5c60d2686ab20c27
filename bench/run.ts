// `npm run bench`: all parts, or those that are named; their results go to bench/results as JSON, and what they come to
// next to what is required of them is printed at the end.
import { parts } from './parts/index.ts';
import { tablesOf } from './page/sections.ts';
import { verdict } from './page/verdict.ts';
import { FULL, QUICK, say, type Effort } from './support/part.ts';
import { parseArguments } from './support/arguments.ts';
import { readResults, RESULTS, resultOf, writeResult } from './support/results.ts';

const wanted = parseArguments(process.argv.slice(2), parts);
if (wanted.help) {
  say(wanted.text);
} else {
  const effort: Effort = { ...(wanted.quick ? { ...QUICK, peers: true } : FULL), ...wanted.changes };
  const failed: string[] = [];
  for (const part of wanted.parts) {
    const before = performance.now();
    say(`\n${part.name}: ${part.title}`);
    try {
      const result = resultOf(part.name, effort.quick, await part.measure(effort));
      writeResult(result, wanted.folder);
      console.log(`\n${tablesOf(result)}\n`);
    } catch (error) {
      failed.push(part.name);
      say(`  failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
    say(`  ${Math.round((performance.now() - before) / 1_000)} s`);
  }
  console.log(verdict(readResults(wanted.folder)));
  if (wanted.folder === RESULTS) say('\nThe page: npm run bench:charts');
  if (failed.length > 0) {
    say(`\nFailed: ${failed.join(', ')}`);
    process.exitCode = 1;
  }
}
