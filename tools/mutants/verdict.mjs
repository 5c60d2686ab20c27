import { runTests } from './jest.mjs';

/** How long a test file may take: well beyond what it took without mutants, on a machine that is busy now. */
const limitFor = (tests) => (file) => 8_000 + 5 * tests[file].ms;

/**
 * Runs one mutant against the tests that reach it. Answers `{ status, by, detail, ran }`, where the status is `killed`,
 * `timeout` or `survived`; a mutant that ends the process without a failed test is tried twice.
 */
export async function judge({ mutant, sandbox, tests, kills }) {
  const files = order(mutant, tests, kills);
  if (files.length === 0) return { status: 'survived', by: null, detail: 'no test reaches it', ran: 0 };
  const first = await attempt(mutant, sandbox, files, tests);
  if (first.detail === ENDED) return attempt(mutant, sandbox, files, tests);
  return confirm(first, mutant, sandbox, files, tests);
}

/**
 * A busy machine can fail a test. It hardly does so in the first few files of so many; what comes later, or from a file
 * that measures time, must come twice.
 */
async function confirm(first, mutant, sandbox, files, tests) {
  const isDoubtful = first.ran >= EARLY || tests[first.by]?.measuresTime === true;
  if (first.status === 'survived' || !isDoubtful) return first;
  const left = files.slice(files.indexOf(first.by));
  const second = await attempt(mutant, sandbox, left, tests);
  const ran = first.ran + second.ran;
  return second.by === first.by
    ? { ...second, ran }
    : confirm({ ...second, ran }, mutant, sandbox, left, tests);
}

const EARLY = 3;
const ENDED = 'the process ended early';

async function attempt(mutant, sandbox, files, tests) {
  const result = await runTests({ sandbox, files, mutant: mutant.id, limitOf: limitFor(tests) });
  const { begun, failed, expired, code, ended } = result;
  const ran = ended.length;
  if (failed !== null)
    return { status: 'killed', by: failed.failed, detail: `${failed.test}: ${failed.message}`, ran };
  if (expired && ran < files.length) return { status: 'timeout', by: begun, detail: 'took too long', ran };
  const isKeptOpen = expired && !/^FAIL /m.test(result.output);
  if ((isKeptOpen || code === 0) && ran === files.length) {
    const hits = ended.reduce((sum, { hitCount }) => sum + hitCount, 0);
    return { status: 'survived', by: null, detail: `reached ${hits} times`, ran };
  }
  // A module that cannot be loaded, an error outside of any test, or a crash.
  const fault = /●[^\n]*\n+([^\n]*)/.exec(result.output)?.[1]?.trim();
  return { status: 'killed', by: begun, detail: fault || ENDED, ran };
}

/** What looks at the heap, or at very many runs. */
const SLOW =
  /(heap-after-approvals|large-store|memory)\.test\.ts$|^test\/(crash|fuzz|hostile|upgrade|storage)\//;

/**
 * First the tests that run the mutant, then those that only load it; among them first what has killed most for its
 * time, above all mutants of the same source file. Tests that measure time or volume are left out: they take the most
 * time by far, and what they alone would notice is speed.
 */
function order(mutant, tests, kills) {
  const value = (file) => {
    const { all = 0, same = 0 } = kills.of(file, mutant.file);
    return (0.05 + all + 4 * same) / (tests[file].ms + 500);
  };
  const byValue = (a, b) => value(b) - value(a);
  const names = Object.keys(tests).filter((file) => !tests[file].measuresTime && !SLOW.test(file));
  const runs = names.filter((file) => tests[file].reached.includes(mutant.id));
  const loads = names.filter((file) => !runs.includes(file) && tests[file].loaded.includes(mutant.id));
  return [...runs.sort(byValue), ...loads.sort(byValue)];
}

/** Which test file has killed how often, as a share of the kills so far. */
export class Kills {
  #total = 0;
  #byTest = new Map();
  #bySource = new Map();

  add(source, test) {
    if (test === null) return;
    this.#total += 1;
    this.#byTest.set(test, (this.#byTest.get(test) ?? 0) + 1);
    const counts = this.#bySource.get(source) ?? { total: 0, byTest: new Map() };
    counts.total += 1;
    counts.byTest.set(test, (counts.byTest.get(test) ?? 0) + 1);
    this.#bySource.set(source, counts);
  }

  of(test, source) {
    const counts = this.#bySource.get(source);
    return {
      all: this.#total === 0 ? 0 : (this.#byTest.get(test) ?? 0) / this.#total,
      same: counts === undefined ? 0 : (counts.byTest.get(test) ?? 0) / counts.total,
    };
  }
}
