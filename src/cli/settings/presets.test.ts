import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LOCAL_SERVER, presetsOf } from './presets.js';

let root: string;
let inner: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'flowgate-presets-'));
  inner = join(root, 'a/b');
  mkdirSync(inner, { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (folder: string, text: string): void => writeFileSync(join(folder, '.flowgate.json'), text);

describe('what holds where the command line does not say', () => {
  it('is the default where nobody says anything', () => {
    expect(presetsOf({ FLOWGATE_SERVER: ' ' }, inner)).toEqual({
      file: null,
      folder: {},
      server: { value: LOCAL_SERVER, from: 'default' },
      namespace: null,
      output: null,
    });
  });

  it('comes from the folder, or from one above, and the nearest wins whole', () => {
    write(root, '{"server": "http://127.0.0.1:1", "output": "yaml"}');
    expect(presetsOf({}, inner)).toMatchObject({
      file: join(root, '.flowgate.json'),
      server: { value: 'http://127.0.0.1:1', from: 'folder' },
      output: { value: 'yaml', from: 'folder' },
    });
    write(inner, '{"namespace": "billing"}');
    expect(presetsOf({}, inner)).toMatchObject({
      server: { from: 'default' },
      namespace: { value: 'billing', from: 'folder' },
      output: null,
    });
  });

  it('comes from the environment before the folder', () => {
    write(inner, '{"server": "http://127.0.0.1:1", "output": "yaml", "namespace": "billing"}');
    const environment = {
      FLOWGATE_SERVER: 'http://127.0.0.1:2',
      FLOWGATE_OUTPUT: 'json',
      FLOWGATE_NAMESPACE: 'sales',
    };
    expect(presetsOf(environment, inner)).toMatchObject({
      server: { value: 'http://127.0.0.1:2', from: 'environment' },
      namespace: { value: 'sales', from: 'environment' },
      output: { value: 'json', from: 'environment' },
    });
    expect(() => presetsOf({ FLOWGATE_OUTPUT: 'xml' }, root)).toThrow('FLOWGATE_OUTPUT must be one of json');
  });

  it('is refused from a file that is too large, in another encoding, or none', () => {
    write(inner, JSON.stringify({ server: 'x'.repeat(20_000) }));
    expect(() => presetsOf({}, inner)).toThrow('.flowgate.json is larger than 16384 bytes');
    writeFileSync(join(inner, '.flowgate.json'), Buffer.from([0xff, 0xfe]));
    expect(() => presetsOf({}, inner)).toThrow('is not in UTF-8: save it as UTF-8.');
    rmSync(join(inner, '.flowgate.json'));
    mkdirSync(join(inner, '.flowgate.json'));
    expect(() => presetsOf({}, inner)).toThrow('is no file: move it away.');
  });

  it('does not wait for a pipe that has the name', () => {
    execFileSync('mkfifo', [join(inner, '.flowgate.json')]);
    expect(() => presetsOf({}, inner)).toThrow('is no file: move it away.');
  });
});
