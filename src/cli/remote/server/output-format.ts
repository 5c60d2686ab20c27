import type { OutputFormat } from '../../settings/output-formats.js';
import { presets } from '../../settings/presets.js';
import { isForPeople } from '../../terminal/for-people.js';

export interface OutputArguments {
  readonly json?: boolean | undefined;
  readonly output?: OutputFormat | undefined;
}

/** What was asked for, here, by the environment or by the folder; null: nothing, and the command decides by who reads it. */
export function askedFormat(given: OutputArguments): OutputFormat | null {
  return askedOutput(given) ?? presets().output?.value ?? null;
}

/** What the command line asks for; null: nothing. */
export function askedOutput({ json, output }: OutputArguments): OutputFormat | null {
  return output ?? (json === true ? 'json' : null);
}

/** Columns of what is printed: those of the terminal, and no bound in a pipe or where all is asked for. */
export function widthFor(format: OutputFormat | null, stdout: NodeJS.WriteStream): number {
  return format === 'wide' || !isForPeople(stdout) ? Infinity : stdout.columns || 80;
}
