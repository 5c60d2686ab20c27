import { tooOldFor } from '../../../node-version.js';
import { finding, ok, type Check } from '../check.js';

export function nodeCheck(version: string): Check {
  const tooOld = tooOldFor(version);
  return tooOld === null ? ok('node', `Node ${version}`) : finding('node', tooOld, 'Install a newer Node.');
}
