import { folderSettings } from './folder-settings.js';

const from = (text: string) => folderSettings({ path: '/a/.flowgate.json', text });

describe('the settings of a folder', () => {
  it('are server, output and namespace', () => {
    const text = '\uFEFF{"server": "https://flow.example.com/api", "output": "yaml", "namespace": "billing"}';
    expect(from(text)).toEqual({
      server: 'https://flow.example.com/api',
      output: 'yaml',
      namespace: 'billing',
    });
    expect(from('{}')).toEqual({});
  });

  it.each([
    [
      '{"token": "fgk_shh"}',
      'token cannot stand there, where others read it: put the token into FLOWGATE_TOKEN',
    ],
    ['{"apiKey": "shh"}', 'apiKey cannot stand there, where others read it'],
    ['{"password": "shh"}', '--token-file names'],
    ['{"headers": {"x": "shh"}}', 'headers cannot stand there: give --header with the command'],
    ['{"tokenCommand": "shh"}', 'cannot stand there'],
    ['{"command": "shh"}', 'command cannot stand there: nothing of this file is executed'],
    ['{"sever": "shh"}', 'sever is no setting of a folder: write server'],
    ['{"colour": "shh"}', 'there are server, output, namespace; leave it out'],
    ['{"server": "https://ann:shh@flow.example.com"}', 'server must hold no user and no password'],
    ['{"server": "file:///shh"}', 'server must be an address such as http://127.0.0.1:8787'],
    ['{"server": ["shh"]}', 'server must be an address'],
    ['{"output": "shh"}', 'output must be one of json, yaml, table, wide'],
    ['{"namespace": "SHH"}', 'namespace must be a lower-case letter'],
    ['{"server": shh', 'is not JSON: write {"server"'],
    ['["shh"]', 'is no JSON object'],
    ['null', 'is no JSON object'],
    ['{"__proto__": {"server": "shh"}}', '__proto__ is no setting of a folder'],
    ['{"\\u001b[2Jx": 1}', 'is no setting of a folder'],
  ])('refuses %s with what to do, and shows no value', (text, sentence) => {
    const refusal = (): unknown => from(text);
    expect(refusal).toThrow(expect.objectContaining({ name: 'UsageError' }));
    expect(refusal).toThrow(`/a/.flowgate.json`);
    expect(refusal).toThrow(sentence);
    expect(refusal).not.toThrow(/shh|SHH|\p{Cc}/u);
  });
});
