import type { Replay, ReplayDifference } from '../../engine/index.js';
import { oneLine } from '../terminal/printable.js';

type Said = NonNullable<ReplayDifference['recorded']>;

/** The longest text of a recorded event, and of its replayed one. */
const MAX_CHARS = 400;

/** The first differences, each with the recorded and the replayed event. */
export function differenceLines({ differences, different }: Replay): readonly string[] {
  const lines = differences.flatMap((difference) => [
    locationOf(difference),
    `  recorded: ${shown(difference.recorded, 'nothing, the log ends here')}`,
    `  today:    ${shown(difference.today, 'nothing')}`,
  ]);
  const more = different - differences.length;
  return more > 0 ? [...lines, `and ${more} more`] : lines;
}

export function summaryOf({ different, compared, events, isSameDefinition }: Replay): string {
  const looked = `${counted(events, 'event')}, ${compared} of them compared`;
  const found = different === 0 ? 'no difference' : counted(different, 'difference');
  const note = isSameDefinition
    ? ''
    : '\nnote: this version makes another definition of the document than the run is pinned to';
  return `${found}: ${looked}${note}`;
}

function locationOf({ seq, recorded, today }: ReplayDifference): string {
  const said = recorded ?? today;
  const { path, scope } = { path: said?.['path'], scope: said?.['scope'] };
  const node = typeof path === 'string' && path !== '' ? ` at ${oneLine(path)}` : '';
  const inside = typeof scope === 'string' && scope !== '' ? ` in ${oneLine(scope)}` : '';
  return `${seq === null ? 'the end of the log' : `event ${seq}`}${node}${inside}`;
}

function shown(said: Said | null, none: string): string {
  if (said === null) return none;
  const { type, path: _path, scope: _scope, ...rest } = said;
  return oneLine(`${type} ${JSON.stringify(rest)}`, MAX_CHARS);
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
