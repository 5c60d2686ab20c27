// Brings another Node than the one that runs the scripts, from the registry through npm (decision 0002).
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';

/** The path of the binary of that version; to be started directly, so that signals reach it and not a wrapper. */
export function otherNode(wanted) {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${platform}-${process.arch}@${wanted}`;
  const print = ['node', '-p', 'process.version + " " + process.execPath'];
  const answer = execFileSync('npm', ['exec', '--yes', `--package=${name}`, '--', ...print], {
    encoding: 'utf8',
  });
  const [version, path] = answer.trim().split(/ (.*)/s);
  assert.equal(version, `v${wanted}`, `npm exec --package=${name} ran another Node`);
  return path;
}
