import { nearNames } from '../../errors/near-names.js';
import { UsageError } from '../command-errors.js';
import { OUTPUT_FORMATS, type OutputFormat } from './output-formats.js';
import { oneLine } from '../terminal/printable.js';
import type { FolderFile } from './folder-file.js';

/** What a folder says about the commands that are typed in it. */
export interface FolderSettings {
  readonly server?: string;
  readonly output?: OutputFormat;
  readonly namespace?: string;
}

const KNOWN = ['server', 'output', 'namespace'] as const;
const NAMESPACE = /^[a-z][a-z0-9-]{0,62}$/;
const MAX_SERVER_CHARS = 2_048;
/** Under these names somebody would keep what the file must not hold; `server` is not among them. */
const SECRET = /token|secret|password|credential|bearer|authorization|key/i;
const HEADER = /header|cookie/i;
const COMMAND = /command|exec|hook|script|alias|shell/i;

/**
 * Whoever writes the file decides what a command does in the folder, and it comes with a clone: so it holds nothing that is
 * secret, and nothing that is executed or sent along. Throws a `UsageError` that shows no value.
 */
export function folderSettings({ path, text }: FolderFile): FolderSettings {
  const given = objectIn(path, text);
  for (const name of Object.keys(given)) refuseOther(path, name);
  const { server, output, namespace } = given;
  return {
    ...(server === undefined ? {} : { server: serverOf(path, server) }),
    ...(output === undefined ? {} : { output: outputOf(`${path}: output`, output) }),
    ...(namespace === undefined ? {} : { namespace: namespaceOf(path, namespace) }),
  };
}

/** Throws a `UsageError` for a word that is no format. `where`: what said so. */
export function outputOf(where: string, value: unknown): OutputFormat {
  const found = OUTPUT_FORMATS.find((format) => format === value);
  if (found === undefined) throw new UsageError(`${where} must be one of ${OUTPUT_FORMATS.join(', ')}.`);
  return found;
}

function objectIn(path: string, text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // The parser's message quotes the text.
    throw new UsageError(`${path} is not JSON: write {"server": "http://127.0.0.1:8787"}.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`${path} is no JSON object: write {"server": "http://127.0.0.1:8787"}.`);
  return value as Readonly<Record<string, unknown>>;
}

function refuseOther(path: string, name: string): void {
  if ((KNOWN as readonly string[]).includes(name)) return;
  throw new UsageError(`${path}: ${adviceFor(name)}.`);
}

function adviceFor(name: string): string {
  const shown = oneLine(name, 60);
  if (HEADER.test(name)) return `${shown} cannot stand there: give --header with the command`;
  if (SECRET.test(name))
    return (
      `${shown} cannot stand there, where others read it: put the token into FLOWGATE_TOKEN, or into a file that ` +
      '--token-file names'
    );
  if (COMMAND.test(name))
    return `${shown} cannot stand there: nothing of this file is executed; leave it out`;
  const [near] = nearNames(name, KNOWN, { typos: (letters) => Math.max(1, Math.floor(letters / 3)) });
  return `${shown} is no setting of a folder: ${near === undefined ? `there are ${KNOWN.join(', ')}; leave it out` : `write ${near}`}`;
}

function serverOf(path: string, value: unknown): string {
  const url = typeof value === 'string' && value.length <= MAX_SERVER_CHARS ? URL.parse(value) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError(`${path}: server must be an address such as http://127.0.0.1:8787.`);
  if (url.username !== '' || url.password !== '')
    throw new UsageError(
      `${path}: server must hold no user and no password: put the token into FLOWGATE_TOKEN, or into a file that --token-file names.`,
    );
  return String(value);
}

function namespaceOf(path: string, value: unknown): string {
  if (typeof value === 'string' && NAMESPACE.test(value)) return value;
  throw new UsageError(
    `${path}: namespace must be a lower-case letter, then up to 62 lower-case letters, digits or dashes.`,
  );
}
