/**
 * Asks the portable part of the interface of a service that runs, without Jest:
 * `node test/interface/run.ts http://127.0.0.1:3000/api/flowgate 'authorization: Bearer t'`; every further argument is a
 * header of each request. A line per sentence that does not hold, and how many do; ends with 1 where one does not.
 */
import { Caller } from './support/caller.ts';
import { PORTABLE } from './topics.ts';

const [baseUrl, ...lines] = process.argv.slice(2);
if (baseUrl === undefined) {
  console.error('Say where the service is: node test/interface/run.ts <url> [header…]');
  process.exit(2);
}
const headers = Object.fromEntries(
  lines.map((line) => {
    const [name = '', ...value] = line.split(':');
    return [name.trim(), value.join(':').trim()];
  }),
);

let passed = 0;
let failed = 0;
for (const { name, checks } of PORTABLE) {
  const caller = new Caller({ baseUrl, headers });
  for (const [sentence, check] of Object.entries(checks)) {
    try {
      await check(caller);
      passed += 1;
    } catch (error) {
      failed += 1;
      const said = error instanceof Error ? error.message : String(error);
      console.log(`✗ ${name}: ${sentence}\n${said.slice(0, 1_500).replaceAll(/^/gm, '    ')}`);
    }
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
