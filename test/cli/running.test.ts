import { join } from 'node:path';
import { once } from 'node:events';
import type { RunRecord } from '../../src/engine/index.js';
import { inSequence, workflowYaml } from '../support/engine.js';
import { startUnitServer, type UnitServer } from '../support/unit-server.js';
import { commandOf, ended, flowgate, start } from './support/built-cli.js';
import { folderWith } from './support/folder.js';
import { Terminal } from './support/terminal.js';

const mock = (id: string, more: object = {}) => ({
  id,
  uses: 'builtin.mock',
  config: { response: id },
  ...more,
});
const ask = {
  id: 'ask',
  uses: 'builtin.approval',
  config: { title: 'Send ${{ outputs.greet }}?', payload: { amount: 120 } },
};
const remote = { id: 'greet', uses: 'demo.greet', with: { name: '${{ input.name }}' } };
const folder = folderWith({
  'hello.yaml': inSequence('hello', [remote]),
  'hello.bindings.json': { 'demo.greet': { type: 'http', endpoint: 'http://127.0.0.1:1/' } },
  'two.yaml': inSequence('two', [mock('first'), mock('second', { if: 'false' }), mock('third')]),
  'gate.yaml': inSequence('gate', [mock('greet'), ask, mock('sent')]),
  'gates.yaml': inSequence('gates', [
    { ...ask, id: 'first', config: {} },
    { ...ask, id: 'second', config: {} },
  ]),
  'both.yaml': workflowYaml('both', {
    units: [
      { ...ask, id: 'first', config: {} },
      { ...ask, id: 'second', config: {} },
    ],
    flow: { type: 'parallel', units: ['first', 'second'] },
  }),
  'slow.yaml': inSequence('slow', [mock('work', { config: { response: 1, delayMs: 600_000 } })]),
  'typed.yaml': inSequence('typed', [mock('a')], {
    input: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } },
  }),
  'broken.yaml': inSequence('broken', [mock('a', { if: 'nonsense +' })]),
  'pause.yaml': inSequence('pause', [mock('a', { pause: 'before' })]),
  'warned.yaml': workflowYaml('warned', { units: [mock('a'), mock('idle')], flow: 'a' }),
  'input.json': { name: 'from a file' },
});
const at = (name: string): string => join(folder.path, name);
const recordIn = (stdout: string): RunRecord => JSON.parse(stdout) as RunRecord;

let unit: UnitServer;
beforeAll(async () => {
  unit = await startUnitServer();
}, 60_000);
beforeEach(() => {
  unit.answer(({ body }) => ({
    body: { content: `Hello, ${(JSON.parse(body) as { input: { name: string } }).input.name}!` },
  }));
});
afterAll(async () => {
  await unit.close();
  folder.remove();
});

describe('flowgate run', () => {
  it('prints what units do to stderr, and the record alone to stdout', async () => {
    const { code, stdout, stderr } = await flowgate(['run', at('two.yaml')]);
    expect(code).toBe(0);
    expect(stdout.split('\n')).toHaveLength(2);
    expect(recordIn(stdout)).toMatchObject({ workflowId: 'two', status: 'completed' });
    expect(
      stderr
        .replaceAll(/\d+ ms/g, 'N ms')
        .trimEnd()
        .split('\n'),
    ).toEqual([
      'first: started',
      'first: finished (N ms)',
      'second: skipped',
      'third: started',
      'third: finished (N ms)',
    ]);
  });

  it('prints the record over several lines with --pretty, and nothing else with --quiet', async () => {
    const { stdout, stderr } = await flowgate(['run', at('two.yaml'), '--pretty', '--quiet']);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^\{\n {2}"runId": /);
  });

  it('calls units where --bind says, which overrides the bindings next to the document', async () => {
    const bind = ['--bind', `demo.greet=${unit.url}/greet?a=b`];
    const { code, stdout } = await flowgate([
      'run',
      at('hello.yaml'),
      ...bind,
      '--input',
      '{"name": "Ädä\\n"}',
    ]);
    expect(code).toBe(0);
    expect(recordIn(stdout).result?.state['output.greet']).toBe('Hello, Ädä\n!');
    expect(unit.requests.at(-1)?.url).toBe('/greet?a=b');
  });

  it('takes the input from a file, or the document or the input from stdin', async () => {
    const bind = ['--bind', `demo.greet=${unit.url}`];
    const fromFile = await flowgate(['run', at('hello.yaml'), ...bind, '--input', `@${at('input.json')}`]);
    expect(recordIn(fromFile.stdout).result?.state['output.greet']).toBe('Hello, from a file!');
    const fromStdin = await flowgate(['run', at('hello.yaml'), ...bind, '--input', '-'], {
      stdin: '{"name": "from stdin"}',
    });
    expect(recordIn(fromStdin.stdout).result?.state['output.greet']).toBe('Hello, from stdin!');
    const joined = await flowgate(
      ['run', at('hello.yaml'), '--bind', `demo.greet=${unit.url}`, '--input=-'],
      {
        stdin: '{"name": "the other spelling"}',
      },
    );
    expect(recordIn(joined.stdout).result?.state['output.greet']).toBe('Hello, the other spelling!');
    const document = await flowgate(['run', '-'], { stdin: inSequence('piped', [mock('a')]) });
    expect(recordIn(document.stdout).workflowId).toBe('piped');
  });

  it('names attempts that failed, and ends with 1 when the run fails', async () => {
    unit.answer({ status: 400, body: 'no' });
    const bind = ['--bind', `demo.greet=${unit.url}`];
    const { code, stdout, stderr } = await flowgate([
      'run',
      at('hello.yaml'),
      ...bind,
      '--input',
      '{"name":""}',
    ]);
    expect(code).toBe(1);
    expect(recordIn(stdout)).toMatchObject({ status: 'failed', error: expect.stringContaining('400') });
    expect(stderr).toMatch(/^greet: failed: .*400.* \([\d.]+ m?s\)$/m);
  });

  it('says where a document is wrong, and runs nothing of it', async () => {
    const { code, stdout, stderr } = await flowgate(['run', at('broken.yaml')]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/broken\.yaml:1:\d+: .*\(\/spec\/units\/0\/if\)$/m);
  });

  it('says what is accepted and probably not meant', async () => {
    const { code, stderr } = await flowgate(['run', at('warned.yaml')]);
    expect(code).toBe(0);
    expect(stderr).toContain('warning: The unit idle is in no flow: it never runs.');
  });

  it('says what is wrong with an input', async () => {
    const gone = `@${at('gone.json')}`;
    const [typed, ...others] = await Promise.all(
      ['{"n": "x"}', '{', '[1]', '3', gone].map((input) =>
        flowgate(['run', at('typed.yaml'), '--input', input]),
      ),
    );
    expect([typed?.code, typed?.stdout]).toEqual([1, '']);
    expect(typed?.stderr).toContain('The input does not fit the workflow');
    expect(others.map(({ code }) => code)).toEqual([2, 2, 2, 2]);
  });

  it('takes secrets and settings from the environment', async () => {
    const headers = { 'X-Key': '${secret:SHOP}' };
    const own = folderWith({
      'hello.yaml': inSequence('hello', [remote]),
      'hello.bindings.json': { 'demo.greet': { type: 'http', endpoint: unit.url, headers } },
    });
    const args = ['run', join(own.path, 'hello.yaml'), '--input', '{"name": "x"}'];
    const sent = await flowgate(args, { env: { FLOWGATE_SECRET_SHOP: 'open sesame' } });
    expect(sent.code).toBe(0);
    expect(unit.requests.at(-1)?.headers['x-key']).toBe('open sesame');
    expect(sent.stdout + sent.stderr).not.toContain('sesame');
    const refused = await flowgate(args, { env: { FLOWGATE_DENIED_ADDRESSES: '127.0.0.1' } });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('FLOWGATE_DENIED_ADDRESSES')]);
    const lost = await flowgate(args, { env: { FLOWGATE_SECRETS_DIR: join(own.path, 'nowhere') } });
    expect([lost.code, lost.stdout]).toEqual([1, '']);
    expect(lost.stderr).toMatch(/^FLOWGATE_SECRETS_DIR .*no such folder/);
    own.remove();
  });

  it('ends with 3 where nobody decides or resumes', async () => {
    const gate = await flowgate(['run', at('gate.yaml')]);
    expect(gate.code).toBe(3);
    expect(recordIn(gate.stdout).status).toBe('paused');
    expect(gate.stderr).toMatch(/^ask: waits for a decision \(gate \d+\): Send greet\?$/m);
    const pause = await flowgate(['run', at('pause.yaml')]);
    expect([pause.code, recordIn(pause.stdout).status]).toEqual([3, 'paused']);
    expect(pause.stderr).toContain('a: paused (before)');
  });

  it('decides at gates as the options say', async () => {
    const approved = await flowgate(['run', at('gate.yaml'), '--approve']);
    expect(approved.code).toBe(0);
    expect(recordIn(approved.stdout).result?.state['output.ask']).toMatchObject({
      approved: true,
      responder: 'cli',
    });
    const rejected = await flowgate(['run', at('gate.yaml'), '--reject', '--responder', 'ann']);
    expect(rejected.code).toBe(1);
    expect(recordIn(rejected.stdout).error).toBe('Rejected by ann at gate ask');
  });

  it('decides at each of the gates that are open at once', async () => {
    const { code, stdout, stderr } = await flowgate(['run', at('both.yaml'), '--approve']);
    expect([code, recordIn(stdout).status]).toEqual([0, 'completed']);
    expect(stderr.match(/^(?:first|second): approved by cli$/gm)).toHaveLength(2);
  });

  it('ends at once by Ctrl-C, without a stack', async () => {
    const child = start(['run', at('slow.yaml')]);
    const end = ended(child);
    await once(child.stderr ?? child, 'data');
    child.kill('SIGINT');
    expect(await end).toEqual({ code: 130, signal: null, stdout: '', stderr: 'work: started\n' });
  });
});

describe('flowgate run on a terminal', () => {
  /** Types `answer` once the question is shown. */
  async function onTerminal(
    answer: string,
    env: Record<string, string> = {},
    document = 'gate.yaml',
  ): Promise<[number, string]> {
    const terminal = new Terminal(commandOf(['run', at(document)]), { columns: 120, env });
    if (answer !== '') {
      await terminal.shows('leave it open');
      terminal.type(answer);
    }
    return [await terminal.ended, terminal.said];
  }

  it('asks at a gate, shows what it is about, and continues', async () => {
    const [code, said] = await onTerminal('maybe\na\n');
    expect(code).toBe(0);
    expect(said).toContain('{"amount":120}');
    expect(said.match(/leave it open/g)).toHaveLength(2);
    expect(said).toMatch(/✓ ask +approved by cli/);
    expect(said).toMatch(/^gate [0-9a-f-]{36}: \S*completed/m);
    expect(said).toContain('output: sent');
    expect(said).not.toContain('"messages"');
    expect(said).toContain('\u001B[32m');
  });

  it('asks at each gate', async () => {
    const [code, said] = await onTerminal('a\nr\n', {}, 'gates.yaml');
    expect(code).toBe(1);
    expect(said).toMatch(/✓ first +approved by cli/);
    expect(said).toMatch(/✗ second +rejected by cli/);
  });

  it('leaves the run paused when nobody wants to decide, and says how it goes on', async () => {
    const [code, said] = await onTerminal('l\n');
    expect(code).toBe(3);
    expect(said).toMatch(/^waits for a decision at ask \(gate \d+\): Send greet\?/m);
    expect(said).toMatch(/^next: {2}\S*flowgate run \S+gate\.yaml --approve/m);
    expect((await onTerminal('\u0004'))[0]).toBe(3);
  });

  it('ends by Ctrl-C at the question', async () => {
    expect((await onTerminal('\u0003'))[0]).toBe(130);
  });

  it('asks nothing, and prints as in a pipe, where CI is set', async () => {
    const [code, said] = await onTerminal('', { CI: 'true' });
    expect(code).toBe(3);
    expect(said).not.toContain('leave it open');
    expect(said).not.toContain('\u001B');
    expect(said).toMatch(/"status": ?"paused"/);
  });

  it('has no colours with NO_COLOR', async () => {
    const [code, said] = await onTerminal('r\n', { NO_COLOR: '1' });
    expect(code).toBe(1);
    expect(said).not.toContain('\u001B[3');
  });
});
