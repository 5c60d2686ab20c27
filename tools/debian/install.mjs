import { spawnSync } from 'node:child_process';

const WITHIN_MS = 300_000;

/**
 * Installs packages of Debian where there is apt-get and we may use it: on the machines of continuous integration. Returns what kept
 * it from that, as the end of a sentence; null: nothing did.
 */
export function installFromDebian(packages, called) {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'it is not installed by itself without the rights to do so';
  process.stderr.write(`No ${called} here: installing it with apt-get\n`);
  for (const step of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
    const { error, status, stderr } = spawnSync('apt-get', step, {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
      timeout: WITHIN_MS,
    });
    if (error !== undefined || status !== 0)
      return `apt-get ${step[0]} said: ${error?.message ?? stderr.slice(-300)}`;
  }
  return null;
}
