import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'bench/peers';
const INSTALL_WITHIN_MS = 600_000;

/**
 * Installs what we compare with, from its own lock file, unless it is there. No script of theirs runs: one would report
 * the installation to its makers. Throws a sentence that says what went wrong.
 */
export function installPeers(): void {
  if (existsSync(join(FOLDER, 'node_modules/.package-lock.json'))) return;
  process.stderr.write(`Installing what the benchmarks compare with (${FOLDER})\n`);
  const { error, status, stderr } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: FOLDER,
    shell: process.platform === 'win32',
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    timeout: INSTALL_WITHIN_MS,
  });
  if (error !== undefined || status !== 0)
    throw new Error(`npm ci in ${FOLDER} failed: ${error?.message ?? stderr.slice(-500)}`);
}

/** The version that is installed. */
export function versionOf(name: string): string {
  const file = join(FOLDER, 'node_modules', name, 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

/** Makers ask for reports of use by these; a benchmark on a machine of yours sends none. */
export const NO_TELEMETRY = {
  RESTATE_DISABLE_TELEMETRY: 'true',
  MASTRA_TELEMETRY_DISABLED: '1',
  LANGSMITH_TRACING: 'false',
  DO_NOT_TRACK: '1',
};
