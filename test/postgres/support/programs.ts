import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sharedServer } from './server.js';

const execute = promisify(execFile);
const MAX_BYTES = 256 * 1024 * 1024;
const WITHIN_MS = 120_000;

/** Calls one of PostgreSQL's programs, of the version of the shared server; resolves with its output. */
export async function postgresProgram(
  name: string,
  args: readonly string[],
  input?: string,
): Promise<string> {
  const running = execute(join(sharedServer().programs, name), [...args], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
    maxBuffer: MAX_BYTES,
    timeout: WITHIN_MS,
  });
  if (input !== undefined) running.child.stdin?.end(input);
  return (await running).stdout;
}

/** Performs a script as psql does, its own commands included; stops at the first fault. */
export function psql(url: string, script: string): Promise<string> {
  return postgresProgram('psql', ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-d', url], script);
}
