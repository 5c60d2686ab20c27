import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTests } from './jest.mjs';

const CHUNK = 6;
/** A file that measures time can fail because the machine is busy: its verdicts need a second look. */
const MEASURES_TIME = /performance\.now\(|process\.(hrtime|cpuUsage)\(/;
const LIMIT_MS = 180_000;
/**
 * Tests with a configuration of their own, among them those of built processes, which hold no mutants; and those of the stores: some
 * mount a disk, which a killed test leaves.
 */
const ELSEWHERE = /^test\/(browser|cli|cost|crash|fuzz|hostile|image|process|upgrade|storage)\//;

/**
 * Runs every test once with no mutant on: which file reaches which mutants, and how long it takes. A file that fails
 * now says nothing about mutants: it is left out, and named.
 */
export async function measure(sandboxes, log) {
  const all = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: sandboxes[0] })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !ELSEWHERE.test(file))
    .sort();
  const measuresTime = (file) => MEASURES_TIME.test(readFileSync(join(sandboxes[0], file), 'utf8'));
  const queue = [...all];
  const leftOut = [];
  const tests = {};

  const runSome = async (sandbox, files) => {
    const { ended, failures, output } = await runTests({ sandbox, files, limitOf: () => LIMIT_MS });
    const bad = [];
    for (const file of files) {
      const end = ended.find((message) => message.end === file);
      const failure = failures.find((message) => message.failed === file);
      if (end === undefined || failure !== undefined) {
        bad.push({ file, why: failure?.message ?? (output || 'it did not end') });
      } else {
        tests[file] = {
          ms: end.ms,
          measuresTime: measuresTime(file),
          loaded: end.loaded,
          reached: end.reached,
        };
      }
    }
    return bad;
  };

  await Promise.all(
    sandboxes.map(async (sandbox) => {
      while (queue.length > 0) {
        const files = queue.splice(0, CHUNK);
        for (const { file } of await runSome(sandbox, files))
          leftOut.push(...(await runSome(sandbox, [file])));
        log(`without mutants: ${Object.keys(tests).length} of ${all.length} test files`);
      }
    }),
  );
  return { tests, leftOut };
}
