import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../support/service.js';
import { startUnitServer } from '../support/unit-server.js';
import { bound, document, mock, remote } from '../support/workflow-documents.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flowgate-workflows-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
const start = () => startService({ FLOWGATE_WORKFLOWS_DIR: folder });

describe('FLOWGATE_WORKFLOWS_DIR', () => {
  it('registers every document of the folder, with its bindings', async () => {
    const unit = await startUnitServer({ body: { content: 'hi' } });
    put('2.yml', document('second', [mock('a')]));
    put('1.yaml', document('first', [remote('greet')]));
    put('1.bindings.json', JSON.stringify(bound('greet', unit.url)));
    put('notes.txt', 'no workflow');
    const service = await start();
    expect((await service.get('/health')).body.workflows).toEqual(['first', 'second']);
    expect((await service.start('first')).result?.state['output.greet']).toBe('hi');
    await service.close();
    await unit.close();
  });

  it.each([
    [
      'a document that cannot be loaded',
      () => put('bad.yaml', document('x', [remote('a')])),
      /bad\.yaml: .*acme\.a/,
    ],
    [
      'bindings that are not JSON',
      () => (put('a.yaml', document('x', [mock('a')])), put('a.bindings.json', '{')),
      /a\.yaml/,
    ],
    ['a folder that is not there', () => rmSync(folder, { recursive: true }), /FLOWGATE_WORKFLOWS_DIR/],
  ])('with %s does not start', async (_name, prepare, message) => {
    prepare();
    await expect(start()).rejects.toThrow(message);
    mkdirSync(folder, { recursive: true });
  });
});
