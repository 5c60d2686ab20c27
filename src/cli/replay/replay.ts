import { readConfig } from '../../config/read-config.js';
import { replayRun } from '../../engine/index.js';
import { EXIT } from '../exit-code.js';
import { readBytes } from '../input/read-text.js';
import { jsonText, print } from '../terminal/output.js';
import { differenceLines, summaryOf } from './replay-report.js';

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
