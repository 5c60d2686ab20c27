import { askedOutput, type OutputArguments } from '../remote/server/output-format.js';
import type { OutputFormat } from '../settings/output-formats.js';
import { jsonText, print } from '../terminal/output.js';
import { paintFor, type Paint } from '../terminal/paint.js';
import { oneLine } from '../terminal/printable.js';
import { inTone, type Tone } from '../terminal/tone.js';
import { yamlText } from '../terminal/yaml-text.js';
import type { Check } from './check.js';

const TONES: Readonly<Record<Check['status'], Tone>> = { ok: 'good', note: 'faint', finding: 'bad' };
/** As wide as the longest word of each. */
const STATUS_WIDTH = 9;
const CHECK_WIDTH = 10;
const MAX_CHARS = 1_000;

/** Prints what was found: a line for each, and what to do below it; or all of it for programs, where that is asked for. */
export async function showReport(
  checks: readonly Check[],
  asked: OutputArguments,
  preset: OutputFormat | null,
): Promise<void> {
  const format = askedOutput(asked) ?? preset;
  const value = { ok: checks.every(({ status }) => status !== 'finding'), checks };
  if (format === 'json') await print(jsonText(value, false));
  else if (format === 'yaml') await print(await yamlText(value));
  else await print(reportLines(checks, paintFor(process.stdout)).join('\n'));
}

function reportLines(checks: readonly Check[], paint: Paint): readonly string[] {
  const count = checks.filter(({ status }) => status === 'finding').length;
  const lines = checks.flatMap(({ check, status, message, advice }) => {
    const head = `${inTone(paint, TONES[status], status.padEnd(STATUS_WIDTH))}${check.padEnd(CHECK_WIDTH)}`;
    const indent = ' '.repeat(STATUS_WIDTH + CHECK_WIDTH);
    const first = `${head}${oneLine(message, MAX_CHARS)}`;
    return advice === null ? [first] : [first, `${indent}→ ${oneLine(advice, MAX_CHARS)}`];
  });
  const sum =
    count === 0
      ? 'Nothing is to be done.'
      : `${count} ${count === 1 ? 'thing is' : 'things are'} to be done.`;
  return [...lines, sum];
}
