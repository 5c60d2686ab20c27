import { presets } from '../settings/presets.js';
import { written } from '../terminal/output.js';
import { oneLine } from '../terminal/printable.js';
import { completedLine, type Candidate, type Completion } from './completed-line.js';
import type { Shell } from '../shells/shells.js';
import { shellOf } from '../shells/shell-of.js';

/** Whoever presses Tab waits no longer, from the start of the process on; what is not known by then is not offered. */
const USUAL_MS = 300;
/** For whoever has a slow machine, or a server far away. */
const LONGEST_MS = 10_000;
/** What writing and ending take of it. */
const RESERVE_MS = 30;
const MAX_CANDIDATES = 500;
const MAX_ABOUT = 60;
/** A shell inserts the word as it is: whatever a shell takes for more than a word is no candidate. */
const WORD = /^[\p{L}\p{N}_.,@%+:-]{1,256}$/u;
/** What a server names is no option. */
const NO_OPTION = /^[^-]/;

/** Prints what may stand at the cursor, a word a line, and never an error: it would stand in the middle of a command line. */
export async function complete(words: readonly string[]): Promise<void> {
  // Scripts name the command itself as the first word; that which yargs makes for fish does not.
  const line = /(?:^|\/)flowgate(?:\.js)?$/.test(words[0] ?? '') ? words.slice(1) : words;
  const current = line.at(-1) ?? '';
  const found = await candidates(line, current).catch(() => []);
  const shown = found
    .filter(({ word }) => WORD.test(word) && word.startsWith(current))
    .slice(0, MAX_CANDIDATES)
    .map((candidate) => lineFor(candidate, shellOf(process.env)));
  if (shown.length > 0) await written(process.stdout, `${[...new Set(shown)].join('\n')}\n`);
  // A connection, or a pipe that stands for a token, may still be waited for.
  process.exit(0);
}

function candidates(line: readonly string[], current: string): Promise<readonly Candidate[]> {
  const completion = completedLine(line);
  return completion.kind === 'words'
    ? Promise.resolve(completion.candidates)
    : knownInTime(completion, current);
}

/** The client is loaded only where it is asked, as it takes a part of the time. */
async function knownInTime(
  completion: Exclude<Completion, { readonly kind: 'words' }>,
  current: string,
): Promise<readonly Candidate[]> {
  const { candidatesFor } = await import('./known-at-server.js');
  const { clientOf } = await import('../remote/server/client-of.js');
  const { values } = completion.words;
  const named = values.get('server');
  // The clock of the process begins with it.
  const signal = AbortSignal.timeout(
    Math.max(1, Math.floor(patienceMs(process.env) - RESERVE_MS - performance.now())),
  );
  const client = () =>
    clientOf({
      server: named ?? presets().server.value,
      serverFrom: named === undefined ? presets().server.from : undefined,
      namespace: values.get('namespace'),
      tokenFile: values.get('token-file'),
    });
  const tooLate = new Promise<readonly Candidate[]>((resolve) => {
    signal.addEventListener('abort', () => resolve([]), { once: true });
  });
  const known = await Promise.race([
    candidatesFor(completion, { client, signal, current, now: Date.now() }),
    tooLate,
  ]);
  return known.filter(({ word }) => NO_OPTION.test(word));
}

function patienceMs({ FLOWGATE_COMPLETION_MS = '' }: Readonly<Record<string, string | undefined>>): number {
  return /^\d{1,5}$/.test(FLOWGATE_COMPLETION_MS)
    ? Math.min(Number(FLOWGATE_COMPLETION_MS), LONGEST_MS)
    : USUAL_MS;
}

function lineFor({ word, about }: Candidate, shell: Shell): string {
  const text = oneLine(about, MAX_ABOUT);
  if (shell === 'bash' || text === '') return shell === 'zsh' ? word.replaceAll(':', '\\:') : word;
  return shell === 'zsh' ? `${word.replaceAll(':', '\\:')}:${text}` : `${word}\t${text}`;
}
