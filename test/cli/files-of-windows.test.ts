import { join } from 'node:path';
import { inSequence } from '../support/engine.js';
import { flowgate } from './support/built-cli.js';
import { folderWith } from './support/folder.js';

/** As an editor on Windows writes it. */
const asWindowsWrites = (text: string): string => `\uFEFF${text.replaceAll('\n', '\r\n')}`;

const document = inSequence('told', [
  { id: 'a', uses: 'builtin.mock', config: { response: { said: '${{ input.name }}' } } },
]);
const folder = folderWith({
  'plain.yaml': document,
  'windows.yaml': asWindowsWrites(document),
  'broken.yaml': asWindowsWrites(document.replace('builtin.mock', 'builtin.mok')),
  'input.json': '{ "name": "Ada" }\n',
  'windows.json': asWindowsWrites('{\n  "name": "Ada"\n}\n'),
});
const at = (name: string): string => join(folder.path, name);
afterAll(() => folder.remove());

describe('files as Windows writes them', () => {
  it('are the same document and the same input as without a byte-order mark and with other line ends', async () => {
    const output = async (yaml: string, input: string) => {
      const { code, stdout } = await flowgate(['run', at(yaml), '--input', `@${at(input)}`]);
      const { status, result } = JSON.parse(stdout) as { status: string; result: { state: unknown } };
      return { code, status, state: result.state };
    };
    const plain = await output('plain.yaml', 'input.json');
    expect([plain.code, plain.status]).toEqual([0, 'completed']);
    expect(await output('windows.yaml', 'windows.json')).toEqual(plain);
  });

  it('have their faults at the lines that an editor shows', async () => {
    const line = 1 + document.split('\n').findIndex((text) => text.includes('builtin.mock'));
    const { code, stdout } = await flowgate(['validate', at('broken.yaml')]);
    expect(code).toBe(1);
    expect(stdout).toContain(`:${line}:`);
  });
});
