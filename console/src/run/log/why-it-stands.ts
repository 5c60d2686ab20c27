import type { FullRunRecord, OpenWait } from '../../../../clients/typescript/src/types/records.js';
import type { Execution, RunPicture } from './picture.js';

/** A piece of a sentence: plain words, or something that the run names. */
export interface Words {
  readonly text: string;
  readonly isName: boolean;
}

/** How people say an instant that has not come and a time that has passed, such as `12 s`. */
export interface TimeWords {
  readonly until: (at: number) => string;
  readonly span: (ms: number) => string;
}

type Standing = Pick<FullRunRecord, 'status' | 'failure' | 'waits' | 'error' | 'cancelled' | 'compensation'>;

/** One sentence that says why the run stands, moves or has ended. `picture` adds what the record does not say of retries. */
export function whyItStands(
  record: Standing,
  picture: RunPicture | null,
  now: number,
  times: TimeWords,
): readonly Words[] {
  const sentence = beginning(record, picture, now, times);
  return [...sentence, ...undone(record)];
}

export function plainText(words: readonly Words[]): string {
  return words.map(({ text, isName }) => (isName ? `\`${text}\`` : text)).join('');
}

function beginning(
  record: Standing,
  picture: RunPicture | null,
  now: number,
  times: TimeWords,
): readonly Words[] {
  switch (record.status) {
    case 'pending':
      return say('It is about to begin.');
    case 'completed':
      return completed(picture, times);
    case 'failed':
      return record.cancelled === true ? say(`${record.error ?? 'Cancelled'}.`) : failed(record);
    case 'running':
    case 'paused':
      return retrying(picture, now, times) ?? waiting(record, picture, now, times);
  }
}

function completed(picture: RunPicture | null, { span }: TimeWords): readonly Words[] {
  const { startedAt = null, endedAt = null } = picture ?? {};
  return say(
    startedAt === null || endedAt === null
      ? 'It completed.'
      : `It completed in ${span(endedAt - startedAt)}.`,
  );
}

function failed({ failure, error }: Standing): readonly Words[] {
  if (failure === null) return say(`It failed: ${sentenceEnd(error ?? 'nobody knows why')}`);
  const { unitId, attempts, message } = failure;
  if (unitId === null) return say(`It failed: ${sentenceEnd(message)}`);
  const cause = causeIn(message, unitId);
  return [name(unitId), ...say(` failed${oftenOf(attempts)}: ${sentenceEnd(cause)}`)];
}

/** The engine's texts begin with what the sentence has said by then. */
function causeIn(message: string, unitId: string): string {
  const known = `Unit ${unitId} failed`;
  if (!message.startsWith(known)) return message;
  return (
    message
      .slice(known.length)
      .replace(/^ after \d+ attempt\(s\)/, '')
      .replace(/^: /, '') || message
  );
}

function oftenOf(attempts: number): string {
  if (attempts < 2) return '';
  return attempts === 2 ? ' twice' : ` ${attempts} times`;
}

/** What is tried again soon; null: nothing is. */
function retrying(picture: RunPicture | null, now: number, { until }: TimeWords): readonly Words[] | null {
  const soonest = (picture?.executions ?? [])
    .filter(({ state, dueAt, isSuperseded }) => state === 'retrying' && (dueAt ?? 0) > now && !isSuperseded)
    .reduce<Execution | null>(
      (one, other) => ((one?.dueAt ?? Infinity) <= (other.dueAt ?? 0) ? one : other),
      null,
    );
  if (soonest === null) return null;
  const failures = soonest.attempts.filter(({ error }) => error !== null);
  const last = failures.at(-1)?.error ?? '';
  return [
    name(soonest.unitId),
    ...say(` failed${oftenOf(failures.length) || ' once'}: ${last}; again ${until(soonest.dueAt ?? now)}.`),
  ];
}

function waiting(
  { waits, status }: Standing,
  picture: RunPicture | null,
  now: number,
  times: TimeWords,
): readonly Words[] {
  const [first] = waits;
  if (first === undefined) return say(status === 'paused' ? 'It is paused.' : 'It is running.');
  const others = waits.filter((wait) => wait !== first && wait.for === first.for).length;
  const more =
    others === 0
      ? '.'
      : `, and ${others} other${others === 1 ? '' : 's'} ${others === 1 ? 'does' : 'do'} so, too.`;
  return [...oneWait(first, picture, now, times), ...say(more)];
}

function oneWait(
  wait: OpenWait,
  picture: RunPicture | null,
  now: number,
  times: TimeWords,
): readonly Words[] {
  const { unitId, dueAt, itemKey } = wait;
  const who =
    unitId === null ? say('It') : [name(unitId), ...say(itemKey === undefined ? '' : ` of ${itemKey}`)];
  switch (wait.for) {
    case 'gate':
      return [
        ...who,
        ...say(' waits for a decision'),
        ...say(dueAt === undefined ? '' : `, until ${times.until(dueAt)}`),
      ];
    case 'resume':
      return paused(wait, who, picture);
    case 'child':
      return [...who, ...say(' waits for the run '), name(wait.childRunId ?? '')];
    case 'time':
      return [...who, ...say(dueAt === undefined ? ' waits' : ` waits; it goes on ${times.until(dueAt)}`)];
    case 'unit': {
      const call = picture?.executions.find(({ id }) => id === wait.id);
      const since = call === undefined ? '' : ` for ${times.span(Math.max(0, now - call.startedAt))}`;
      return [...who, ...say(` is being called${since}`)];
    }
  }
}

const PAUSES: Readonly<Record<string, string>> = {
  before: 'pauses the run before it is called: resume it to go on',
  after: 'paused the run after it was called: resume it to go on',
  'recovery-limit': 'was being called each time the service stopped: resume it to try again',
  undecided: 'could not be gone on from: resume it to try again',
  limit: 'has exceeded a limit: resume it under a larger one',
  'crash-limit': 'stopped the service each time it was read: it is quarantined until somebody resumes it',
  budget: 'has used up its budget: resume it with a higher one',
};

function paused(
  { id, reason }: OpenWait,
  who: readonly Words[],
  picture: RunPicture | null,
): readonly Words[] {
  const pause = picture?.pauses.find((one) => one.id === id);
  if (reason === 'requested')
    return say(
      pause?.by ? `It was paused by ${pause.by}: resume it to go on` : 'It was paused: resume it to go on',
    );
  const words = PAUSES[reason ?? ''] ?? 'waits until somebody resumes it';
  return [...who, ...say(` ${words}`)];
}

function undone({ compensation }: Standing): readonly Words[] {
  if (compensation === null) return [];
  const { status, done, failed: left } = compensation;
  if (status === 'failed') return say(` ${left} of what it did could not be undone: try that again.`);
  if (status === 'running') return say(' What it did is being undone.');
  return status === 'done' && done > 0
    ? say(` ${done} of what it did ${done === 1 ? 'was' : 'were'} undone.`)
    : [];
}

function sentenceEnd(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

function say(text: string): readonly Words[] {
  return text === '' ? [] : [{ text, isName: false }];
}

function name(text: string): Words {
  return { text, isName: true };
}
