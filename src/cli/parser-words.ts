import { oneLine } from './terminal/printable.js';
import { meantOption } from './suggestions.js';

export interface ParsedCommand {
  /** How the command is written, such as `get [workflowId] <runId>`; null: no command was given. */
  readonly usage: string | null;
  /** The names of its options and positional arguments. */
  readonly options: readonly string[];
}

const TOO_FEW = /^Not enough non-option arguments: got (\d+)/;
const UNKNOWN = /^Unknown arguments?: (.*)$/s;
const NO_OPTION = /^Missing required arguments?: (.*)$/s;
/** Where to find what is missing. */
const WHERE: Readonly<Record<string, string>> = {
  runId: 'flowgate runs lists runs',
  workflowId: 'flowgate workflows lists them',
  file: 'name a document, or - for stdin',
  files: 'name documents, folders of them, or - for stdin',
};

/** What yargs finds wrong, with what is missing or was probably meant. */
export function parserWords(message: string, { usage, options }: ParsedCommand): string {
  const [, got] = TOO_FEW.exec(message) ?? [];
  if (got !== undefined && usage !== null) return missingText(usage, Number(got));
  const [, missing] = NO_OPTION.exec(message) ?? [];
  if (missing !== undefined) return `Missing required argument: ${missing}. Write it as --${missing} ….`;
  const [, unknown] = UNKNOWN.exec(message) ?? [];
  return unknown === undefined ? message : unknownText(unknown.split(', '), options);
}

function missingText(usage: string, got: number): string {
  const required = [...usage.matchAll(/<(\w+)(?:\.\.)?>/g)].map(([, name = '']) => name);
  const missing = required.slice(got);
  const [first = ''] = missing;
  const names = missing.map((name) => `<${name}>`).join(' and ');
  const where = WHERE[first];
  const hint = where === undefined ? '' : ` (${where})`;
  return `${names} ${missing.length === 1 ? 'is' : 'are'} missing: write flowgate ${usage}${hint}.`;
}

function unknownText(unknown: readonly string[], options: readonly string[]): string {
  const shown = unknown.map((name) => oneLine(name, 60)).join(', ');
  // yargs names an option without its dashes.
  const known = options.filter((name) => /^[a-z-]{2,}$/.test(name));
  const meant = unknown
    .map((name) => meantOption(name, known))
    .filter((name) => name !== null)
    .map((name) => `--${name}`);
  const advice = meant.length === 0 ? '' : `. Did you mean ${meant.join(' and ')}?`;
  return `Unknown argument${unknown.length === 1 ? '' : 's'}: ${shown}${advice}`;
}
