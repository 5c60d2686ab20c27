import { isForPeople } from '../../terminal/for-people.js';

export const OUTPUT_FORMATS = ['json', 'yaml', 'table', 'wide'] as const;

export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

export interface OutputArguments {
  readonly json?: boolean | undefined;
  readonly output?: OutputFormat | undefined;
}

/** What was asked for; null: nothing, and the command decides by who reads it. */
export function askedFormat({ json, output }: OutputArguments): OutputFormat | null {
  return output ?? (json === true ? 'json' : null);
}

/** Columns of what is printed: those of the terminal, and no bound in a pipe or where all is asked for. */
export function widthFor(format: OutputFormat | null, stdout: NodeJS.WriteStream): number {
  return format === 'wide' || !isForPeople(stdout) ? Infinity : stdout.columns || 80;
}
