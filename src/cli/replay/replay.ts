import { readConfig } from '../../config/service/read-config.js';
import { type Replay, type ReplayDifference, replayRun } from '../../engine/index.js';
import { EXIT } from '../exit-code.js';
import { readBytes } from '../input/read-text.js';
import { jsonText, print } from '../terminal/output.js';
import { oneLine } from '../terminal/printable.js';

type Said = NonNullable<ReplayDifference['recorded']>;

/** The longest text of a recorded event, and of its replayed one. */
const MAX_CHARS = 400;

export interface ReplayArguments {
  readonly file: string;
  readonly source?: readonly string[] | undefined;
  readonly json?: boolean | undefined;
}

/** A server takes no longer export. */
const MAX_BYTES = 16 * 1024 * 1024;

export async function replay({ file, source = [], json = false }: ReplayArguments): Promise<number> {
  const { apiGroups } = readConfig(process.env).config;
  const sources: Uint8Array[] = [];
  for (const path of source) sources.push(await readBytes(path, MAX_BYTES));
  const replayed = await replayRun({ ndjson: await readBytes(file, MAX_BYTES), sources, apiGroups });
  const ok = replayed.different === 0;
  if (json) await print(jsonText({ ok, ...replayed }, true));
  else await print([...differenceLines(replayed), summaryOf(replayed)].join('\n'));
  return ok ? EXIT.done : EXIT.failed;
}

/** The first differences, each with the recorded and the replayed event. */
function differenceLines({ differences, different }: Replay): readonly string[] {
  const lines = differences.flatMap((difference) => [
    locationOf(difference),
    `  recorded: ${shown(difference.recorded, 'nothing, the log ends here')}`,
    `  today:    ${shown(difference.today, 'nothing')}`,
  ]);
  const more = different - differences.length;
  return more > 0 ? [...lines, `and ${more} more`] : lines;
}

function summaryOf({ different, compared, events, isSameDefinition }: Replay): string {
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
