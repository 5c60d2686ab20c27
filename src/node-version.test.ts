import { readFileSync } from 'node:fs';
import { OLDEST_NODE, tooOldFor } from './node-version.js';

describe('the version of Node', () => {
  it.each(['22.13.0', '22.13.1', '22.20.0', '24.0.0', '26.1.0'])('%s is new enough', (version) => {
    expect(tooOldFor(version)).toBeNull();
  });

  it.each(['22.12.0', '20.17.0', '8.0.0'])('%s is too old, and one sentence says so', (version) => {
    expect(tooOldFor(version)).toBe(
      `Flowgate needs Node 22.13 or newer, and this is Node ${version}: install a newer one.`,
    );
  });

  it('is the one that the package asks for', () => {
    const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };
    expect(engines.node).toBe(`>=${OLDEST_NODE.join('.')}`);
  });
});
