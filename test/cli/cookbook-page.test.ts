import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { blocksOf, readPage } from '../docs/support/page-blocks.js';
import { commandOf } from './support/built-cli.js';
import { folderWith } from './support/folder.js';
import { startService, type Service } from './support/service.js';

const blocks = blocksOf(readPage('docs/cookbook.md'));
const SHELL = new Set(['sh', 'text']);

/** Each command of the page, and what it prints where the page says so. */
const played = blocks
  .filter(({ kind }) => SHELL.has(kind))
  .flatMap(({ kind, text, line }, index, all) => {
    if (kind !== 'sh') return [];
    const next = all[index + 1];
    return [{ line, script: text, prints: next?.kind === 'text' ? next.text : null }];
  });

describe('the commands of the cookbook', () => {
  const folder = folderWith({});
  let service: Service;
  let address: string;

  beforeAll(async () => {
    service = await startService();
    ({ address } = service);
  }, 60_000);
  afterAll(async () => {
    await service.stop();
    folder.remove();
  });

  it('do what it says, one after the other in one shell', async () => {
    const command = commandOf([])
      .map((part) => `'${part}'`)
      .join(' ');
    const script = [
      `flowgate() { ${command} "$@"; }`,
      ...played.map(({ line, script: text }) => `echo '---- ${line}'\n${text}\necho "ended $?"`),
    ].join('\n');
    const said = await shell(script.replaceAll('localhost:8787', new URL(address).host));
    const outputs = said.split(/^---- \d+\n/m).slice(1);
    expect(outputs).toHaveLength(played.length);
    for (const [index, { line, prints }] of played.entries()) {
      const output = outputs[index] ?? '';
      expect([line, output]).toEqual([line, expect.stringMatching(/ended 0\n$/)]);
      if (prints !== null) expect([line, output]).toEqual([line, `${prints}\nended 0\n`]);
    }
    expect(played.filter(({ prints }) => prints !== null).length).toBeGreaterThan(2);
  }, 120_000);

  async function shell(script: string): Promise<string> {
    const child = spawn('bash', ['-c', `exec 2>&1\nset -o pipefail\n${script}`], {
      cwd: folder.path,
      env: { PATH: process.env['PATH'] ?? '', FLOWGATE_SERVER: address },
    });
    let said = '';
    child.stdout.on('data', (text: Buffer) => (said += text.toString()));
    await once(child, 'close');
    return said;
  }
});
