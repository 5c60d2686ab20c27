import { Copies } from './support/copies.ts';
import { ENCRYPTION_KEY, FOLDERS, readManifest, releases } from './support/data-folders.ts';
import { finishRun, readAgain } from './support/finish.ts';
import type { Manifest, ManifestRun } from './support/manifest.ts';
import { masked } from './support/masked.ts';

/**
 * Data folders as released builds left them, by an orderly close and by SIGKILL. Whatever later builds change, they open
 * them, and bring every run to the end that the old build brought it to: the same answers on the way, the same units
 * called under the same keys. `make-fixtures.mjs` says how a release's folders are made; they are never made again.
 */
const copies = new Copies();
afterEach(() => copies.clear());

/** A gate that a rewind closes says so since then: what follows has later numbers. */
const SAYS_MORE: ReadonlySet<string> = new Set(['long-log', 'rewound-and-rewound-later']);

/** With the numbers of events in the order in which they come, whichever they are. */
function renumbered(seen: unknown): unknown {
  const numbers = new Map<string, number>();
  const rank = (number: string): number => {
    if (!numbers.has(number)) numbers.set(number, numbers.size);
    return numbers.get(number)!;
  };
  const text = JSON.stringify(seen).replaceAll(
    /("gateId":|[0-9a-f]{12}[.:])(\d+)/g,
    (_all, before: string, number: string) => `${before}${rank(number)}`,
  );
  return JSON.parse(text) as unknown;
}

const named = ({ runs }: Manifest, name: string): ManifestRun => runs.find((run) => run.name === name)!;

describe.each(releases())('a data folder of release %s', (release) => {
  const manifest = readManifest(release);

  describe.each(FOLDERS)('(%s) holds a run', (folder) => {
    it.each(manifest.runs)('$name: $is', async (run) => {
      const opening = await copies.open(release, folder, manifest, run);
      const { found, checkpoints, answers, end, calls } = await finishRun(opening, run);
      const seen = { found, checkpoints, answers, end, calls };
      if (SAYS_MORE.has(run.name)) expect(renumbered(seen)).toEqual(renumbered(masked(run.ending)));
      else expect(seen).toEqual(masked(run.ending));

      const callsSoFar = opening.calls.length;
      expect(await readAgain(opening, run)).toEqual(end);
      expect(opening.calls.slice(callsSoFar).filter(({ runId }) => runId === run.runId)).toEqual([]);
    });
  });

  it('that is plain opens with a key as well', async () => {
    const run = named(manifest, 'remote-as-bound');
    const opening = await copies.open(release, 'plain', manifest, run);
    expect(await finishRun({ ...opening, encryptionKey: ENCRYPTION_KEY }, run)).toEqual(masked(run.ending));
  });

  it('that is encrypted loses nothing by being opened without its key', async () => {
    const run = named(manifest, 'in-flight');
    const opening = await copies.open(release, 'encrypted', manifest, run);
    const unopened = await finishRun({ ...opening, encryptionKey: null }, { ...run, steps: [] });
    expect([unopened.end.status, unopened.calls]).toEqual(['running', []]);
    const { end, calls } = await finishRun(opening, run);
    expect(end).toEqual(run.ending.end);
    // The boot without the key was the one that counted as a recovery: later executions have other numbers.
    expect(calls.map(({ unitId }) => unitId)).toEqual(run.ending.calls.map(({ unitId }) => unitId));
  });
});
