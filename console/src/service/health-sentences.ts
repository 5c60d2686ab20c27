import type { Health } from 'flowgate-client/remote';

export interface HealthSentence {
  readonly isWell: boolean;
  readonly sentence: string;
  /** A view of the runs that it is about. */
  readonly view?: Readonly<Record<string, string>>;
}

/** From here on the search misses what people have just seen. */
const MUCH_BEHIND = 1_000;

/** What `/health` says, as sentences that say what to do. What it does not say is left out. */
export function healthSentences(health: Health): readonly HealthSentence[] {
  return [
    serving(health),
    ...undecided(health),
    ...stalled(health),
    ...search(health),
    ...heldUp(health),
    ...access(health),
  ];
}

function serving({ ok, error }: Health): HealthSentence {
  return ok
    ? { isWell: true, sentence: 'It takes work.' }
    : { isWell: false, sentence: error ?? 'It takes no work at the moment.' };
}

function undecided({ undecided: count }: Health): readonly HealthSentence[] {
  if (count === undefined) return [];
  if (count === 0) return [{ isWell: true, sentence: 'No run is stuck.' }];
  const sentence = `${runs(count)} stuck: what follows could not be decided. Mend the cause, then resume.`;
  return [{ isWell: false, sentence, view: { status: 'paused' } }];
}

function stalled({ stalled: count }: Health): readonly HealthSentence[] {
  if (count === undefined || count === 0) return [];
  const times = count === 1 ? 'Once' : `${count} times`;
  return [
    {
      isWell: false,
      sentence: `${times} since it began a run had stalled and was read anew: a defect to report.`,
    },
  ];
}

function search({ memory }: Health): readonly HealthSentence[] {
  if (memory === undefined) return [];
  const { behind } = memory;
  if (behind === 0) return [{ isWell: true, sentence: 'The memory search knows all that units have said.' }];
  return [
    {
      isWell: behind < MUCH_BEHIND,
      sentence: `The memory search has ${behind.toLocaleString('en')} entries of the log still to read.`,
    },
  ];
}

function heldUp({ heldUp: by }: Health): readonly HealthSentence[] {
  if (by === undefined) return [];
  const who =
    by.pid === null
      ? 'A transaction prepared for a commit in two phases'
      : `Process ${by.pid} of the database`;
  const seconds = Math.round(by.forMs / 1_000);
  return [
    {
      isWell: false,
      sentence: `${who} has been holding up the search for ${seconds} s: end its transaction.`,
    },
  ];
}

function access({ accessFile }: Health): readonly HealthSentence[] {
  if (accessFile === undefined) return [];
  return [
    { isWell: false, sentence: `The access file cannot be used, so the one before holds: ${accessFile}` },
  ];
}

function runs(count: number): string {
  return count === 1 ? 'One run is' : `${count} runs are`;
}
