import { UsageError } from '../../command-errors.js';
import { nameOf, readBytes, STDIN } from '../../input/read-text.js';

/** Where a key or a token is, so that no argument has to be one. */
export const TOKEN_VARIABLE = 'FLOWGATE_TOKEN';

/** No server takes a longer one. */
const MAX_BYTES = 16 * 1024;
const TOKEN = /^[\x21-\x7E]+$/;
/** Options under which people look for it. */
const TOKEN_OPTION = /^--(?:token|api-key|apikey|bearer|password|secret)(?:=|$)/;
const KEY = /^fgk_[a-z2-7]{16}_[\w-]{43}$/;

type Token = string | (() => Promise<string>) | undefined;

/**
 * The key or token of the one who calls. That of a file is read whenever it is needed, so that a command that goes on for days
 * takes the one that has come in its place. Throws a `UsageError` that never shows it.
 */
export function tokenOf(file: string | undefined, environment: NodeJS.ProcessEnv): Token {
  if (file === STDIN) return once(() => tokenIn(file));
  if (file !== undefined) return () => tokenIn(file);
  const token = environment[TOKEN_VARIABLE]?.trim();
  return token === undefined || token === '' ? undefined : checked(token, TOKEN_VARIABLE);
}

/** Throws a `UsageError` for an argument that is a key, or an option that would be one. */
export function refuseTokens(args: readonly string[]): void {
  if (!args.some((word) => TOKEN_OPTION.test(word) || KEY.test(word))) return;
  throw new UsageError(
    'A key or a token is no argument: others on this machine could read it, and the shell keeps it. ' +
      `Put it into ${TOKEN_VARIABLE}, or into a file, and name that with --token-file.`,
  );
}

/** What was read from stdin is not there a second time. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let given: Promise<T> | undefined;
  return () => (given ??= read());
}

async function tokenIn(file: string): Promise<string> {
  const bytes = await readBytes(file, MAX_BYTES);
  return checked(bytes.toString('utf8').trim(), nameOf(file));
}

function checked(token: string, where: string): string {
  if (TOKEN.test(token)) return token;
  throw new UsageError(`${where} holds no key or token: it must be one line without blanks.`);
}
