import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunRecord } from '../../src/engine/index.js';
import { inSequence } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { startUnitServer, type UnitServer } from '../support/unit-server.js';
import { ended, flowgate, start, type Ended } from './support/built-cli.js';
import { folderWith } from './support/folder.js';
import { startService, type Service } from './support/service.js';

const mock = (id: string, more: object = {}) => ({
  id,
  uses: 'builtin.mock',
  config: { response: id },
  ...more,
});
const gate = (id: string) => ({ id, uses: 'builtin.approval', config: { title: `Pass ${id}?` } });

let unit: UnitServer;
let service: Service;
let folder: ReturnType<typeof folderWith>;
const at = (name: string): string => join(folder.path, name);

beforeAll(async () => {
  unit = await startUnitServer({ body: { content: 'Hello!' } });
  folder = folderWith({
    'all/gates.yaml': inSequence('gates', [mock('a'), gate('first'), gate('second'), mock('b')]),
    'all/hello.yaml': inSequence('hello %/ "ö"', [{ id: 'greet', uses: 'demo.greet' }]),
    'all/hello.bindings.json': { 'demo.greet': { type: 'http', endpoint: unit.url } },
    'all/readme.md': 'no workflow',
    'quick.yaml': inSequence('quick', [mock('a', { if: 'input.go' })]),
    'pause.yaml': inSequence('pause', [mock('a', { pause: 'before' })]),
    'slow.yaml': inSequence('slow', [mock('a', { config: { delayMs: 100_000 } })]),
    'shape.yaml': 'apiVersion: flowgate/v1\nkind: Workflow\nmetadata: {}\nspec: {}\n',
    'unbound.yaml': inSequence('unbound', [{ id: 'a', uses: 'demo.nobody' }]),
    'input.json': { go: true },
  });
  service = await startService({ FLOWGATE_CANCEL_GRACE_MS: '0' });
  const files = ['all', 'quick.yaml', 'pause.yaml', 'slow.yaml'].flatMap((name) => ['-f', at(name)]);
  const applied = await ask('apply', ...files);
  expect([applied.code, applied.stderr]).toEqual([0, '']);
}, 60_000);

afterAll(async () => {
  await service.stop();
  await unit.close();
  folder.remove();
});

const ask = (...args: string[]): Promise<Ended> =>
  flowgate(args, { env: { FLOWGATE_SERVER: service.address } });
const recordIn = ({ stdout }: Ended): RunRecord => JSON.parse(stdout) as RunRecord;
const startGates = async (): Promise<string> => recordIn(await ask('start', 'gates', '--sync')).runId;

describe('flowgate apply', () => {
  it('registers files, folders and stdin, with the bindings next to them', async () => {
    const { stdout } = await ask('apply', '-f', at('all'), '--file', at('quick.yaml'));
    expect(stdout.split('\n')).toEqual([
      `${at('all/gates.yaml')}: registered gates`,
      `${at('all/hello.yaml')}: registered hello %/ "ö"`,
      `${at('quick.yaml')}: registered quick`,
      '',
    ]);
    const { stdout: bare } = await ask('apply', at('quick.yaml'));
    expect(bare).toContain('registered quick');
    const piped = await flowgate(['apply', '-f', '-', '--server', `${service.address}/`], {
      stdin: inSequence('piped', [mock('a')]),
    });
    expect([piped.code, piped.stdout]).toEqual([0, 'stdin: registered piped\n']);
    for (const joined of ['--file=-', '-f=-']) {
      const { stdout: said } = await flowgate(['apply', joined, '--server', service.address], {
        stdin: inSequence('piped', [mock('a')]),
      });
      expect(said).toBe('stdin: registered piped\n');
    }
  });

  it('says where a document is wrong, whoever finds it, and registers the others', async () => {
    const files = ['shape.yaml', 'unbound.yaml', 'quick.yaml'].flatMap((name) => ['-f', at(name)]);
    const { code, stdout, stderr } = await ask('apply', ...files);
    expect([code, stdout]).toEqual([1, `${at('quick.yaml')}: registered quick\n`]);
    expect(stderr).toMatch(/shape\.yaml:3:\d+: /);
    expect(stderr).toMatch(/unbound\.yaml:1:\d+: no unit answers to demo\.nobody/);
  });

  it('answers in JSON for programs', async () => {
    const { code, stdout } = await ask('apply', '--json', '-f', at('quick.yaml'), '-f', at('unbound.yaml'));
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      ok: false,
      files: [
        { file: at('quick.yaml'), ok: true, workflowId: 'quick', error: null },
        {
          file: at('unbound.yaml'),
          ok: false,
          workflowId: null,
          error: expect.stringContaining('demo.nobody'),
        },
      ],
    });
  });

  it('says in JSON what it registered before a document that cannot be read', async () => {
    const unreadable = at('latin1.yaml');
    writeFileSync(unreadable, Buffer.from('description: f\xfcr', 'latin1'));
    const { code, stdout, stderr } = await ask('apply', '--json', '-f', at('quick.yaml'), '-f', unreadable);
    rmSync(unreadable);
    expect([code, JSON.parse(stdout)]).toEqual([
      2,
      { ok: false, files: [{ file: at('quick.yaml'), ok: true, workflowId: 'quick', error: null }] },
    ]);
    expect(stderr).toContain('latin1.yaml is not in UTF-8: save it as UTF-8.');
  });

  it('ends by one signal while it waits for its text', async () => {
    const child = start(['apply', '-f', at('quick.yaml'), '-f', '-', '--server', service.address]);
    await once(child.stdout ?? child, 'data');
    child.kill('SIGINT');
    expect((await ended(child)).code).toBe(130);
  });

  it('names the document for which a server has no registry capacity, and tries the others', async () => {
    const small = await startService({ FLOWGATE_MAX_WORKFLOWS: '1' });
    const files = ['quick.yaml', 'pause.yaml', 'quick.yaml'].flatMap((name) => ['-f', at(name)]);
    const { code, stdout, stderr } = await ask('apply', '--server', small.address, ...files);
    expect([code, stdout]).toEqual([1, `${at('quick.yaml')}: registered quick\n`]);
    expect(stderr).toContain(`${at('pause.yaml')}: `);
    await small.stop();
  });

  it('binds what the command line says', async () => {
    const bind = ['--bind', `demo.nobody=${unit.url}/nobody`];
    expect((await ask('apply', '-f', at('unbound.yaml'), ...bind)).code).toBe(0);
    expect((await ask('start', 'unbound', '--sync')).code).toBe(0);
    expect(unit.requests.at(-1)?.url).toBe('/nobody');
  });
});

describe('a dash', () => {
  it('is itself where nothing is read', async () => {
    const runId = await startGates();
    const { stdout } = await ask('reject', runId, '--responder', '-', '--comment', '-');
    expect(JSON.parse(stdout)).toMatchObject({ status: 'failed', error: 'Rejected by - at gate first' });
    const { stdout: decided } = await ask('events', runId, '--json');
    expect(decided).toContain('"comment":"-"');
    const { code, stderr } = await ask('logs', '-');
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^- is no id of a run/)]);
    const out = await ask('export', runId, '--out', '-');
    expect([out.code, out.stderr]).toEqual([2, expect.stringContaining('leave it out')]);
  });
});

describe('flowgate start', () => {
  it('answers at once, or once the run has stopped, with its status as the exit code', async () => {
    const async = await ask('start', 'quick', '--input', `@${at('input.json')}`);
    expect([async.code, recordIn(async).status]).toEqual([0, 'running']);
    const sync = await ask('start', 'hello %/ "ö"', '--sync');
    expect([sync.code, recordIn(sync).result?.state['output.greet']]).toEqual([0, 'Hello!']);
    const paused = await ask('start', 'gates', '--sync');
    expect([paused.code, recordIn(paused).status]).toEqual([3, 'paused']);
    const failed = await ask('start', 'quick', '--sync');
    expect([failed.code, recordIn(failed).status]).toEqual([1, 'failed']);
  });

  it('shows with --wait what happens until then', async () => {
    const { code, stdout, stderr } = await ask('start', 'gates', '--wait');
    expect([code, recordIn({ stdout } as Ended).status]).toEqual([3, 'paused']);
    expect(stderr).toMatch(
      /^a: started\na: finished\nfirst: waits for a decision \(gate \d+\): Pass first\?\n$/,
    );
  });

  it('starts one run for one key', async () => {
    const args = ['start', 'quick', '--input', '{"go": true}', '--key', 'once'];
    const [one, two] = await Promise.all([ask(...args), ask(...args)]);
    expect(recordIn(one).runId).toBe(recordIn(two).runId);
  });
});

describe('a run that waits', () => {
  it('is approved and rejected, in the name of whoever says so', async () => {
    const runId = await startGates();
    const approved = await ask('approve', 'gates', runId, '--comment', 'fine');
    expect([approved.code, recordIn(approved).status]).toEqual([0, 'paused']);
    expect(recordIn(approved).result?.state['output.first']).toMatchObject({
      approved: true,
      responder: 'cli',
      comment: 'fine',
    });
    const rejected = await ask('reject', 'gates', runId, '--responder', 'ann');
    expect([rejected.code, recordIn(rejected).error]).toEqual([0, 'Rejected by ann at gate second']);
    expect(recordIn(await ask('get', 'gates', runId)).status).toBe('failed');
    const again = await ask('resume', 'gates', runId);
    expect([again.code, recordIn(again).status]).toEqual([0, 'paused']);
  });

  it('is decided at the gate that is named', async () => {
    const runId = await startGates();
    const gateId = recordIn(await ask('get', 'gates', runId)).result?.messages.find(
      ({ type }) => type === 'hitl-request',
    ) as { gateId: number } | undefined;
    const decided = await ask('approve', 'gates', runId, '--gate', String(gateId?.gateId));
    expect(recordIn(decided).result?.completedUnits).toEqual(['a', 'first']);
    const otherwise = await ask('reject', 'gates', runId, '--gate', String(gateId?.gateId));
    expect([otherwise.code, otherwise.stderr]).toEqual([1, expect.stringContaining('has approved gate')]);
    expect((await ask('approve', 'gates', runId, '--gate', 'x')).code).toBe(2);
  });

  it('continues after a pause, or goes back to a checkpoint', async () => {
    const runId = recordIn(await ask('start', 'pause', '--sync')).runId;
    const done = await ask('resume', 'pause', runId);
    expect([done.code, recordIn(done).status]).toEqual([0, 'completed']);
    const snapshot = recordIn(done).result?.messages.find(({ type }) => type === 'checkpoint') as
      { snapshotId: string } | undefined;
    const back = await ask('resume', 'pause', runId, '--snapshot', snapshot?.snapshotId ?? '');
    expect(back.code).toBe(0);
    const nowhere = await ask('resume', 'pause', runId, '--snapshot', `${runId}.999`);
    expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringContaining('No checkpoint found')]);
  });
});

describe('a run that is stopped', () => {
  it('is paused and cancelled, in the name of whoever says so', async () => {
    const runId = recordIn(await ask('start', 'slow')).runId;
    const paused = await ask('pause', 'slow', runId);
    expect([paused.code, recordIn(paused).status]).toEqual([0, 'paused']);
    const cancelled = await ask('cancel', 'slow', runId, '--by', 'ann');
    expect([cancelled.code, recordIn(cancelled).error]).toEqual([0, 'Cancelled by ann']);
    const watched = await ask('watch', 'slow', runId);
    expect([watched.code, watched.stderr.trimEnd().split('\n')]).toEqual([
      1,
      ['a: started', 'run: paused (requested): Paused by cli', 'run: cancelled by ann'],
    ]);
    expect((await ask('cancel', 'slow', runId, '--by', '')).code).toBe(2);
    const nobody = await ask('pause', 'slow', `${runId}x`);
    expect([nobody.code, nobody.stderr]).toEqual([1, expect.stringContaining('Unknown run')]);
  });

  it('continues with another budget, which is checked here', async () => {
    const runId = recordIn(await ask('start', 'pause', '--sync')).runId;
    const limits = ['--max-tokens', '500000', '--max-cost', '12.5'];
    for (const wrong of [
      ['--max-tokens', '1.5'],
      ['--max-tokens', 'many'],
      ['--max-cost', 'much'],
      ['--max-tokens=-1'],
    ]) {
      const refused = await ask('resume', 'pause', runId, ...wrong);
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/^--max-\w+ must be a/)]);
    }
    const done = await ask('resume', 'pause', runId, ...limits);
    expect([done.code, recordIn(done).status]).toEqual([0, 'completed']);
  });
});

describe('flowgate watch', () => {
  it('prints, across pauses, what happens until the run is over, then its record', async () => {
    const runId = await startGates();
    const child = start(['watch', 'gates', runId, '--server', service.address]);
    child.stdin?.end();
    const end = ended(child);
    await once(child.stderr ?? child, 'data');
    await ask('approve', 'gates', runId);
    await ask('approve', 'gates', runId);
    const { code, stdout, stderr } = await end;
    expect([code, recordIn({ stdout } as Ended).status]).toEqual([0, 'completed']);
    expect(
      stderr
        .replaceAll(/gate \d+/g, 'gate N')
        .trimEnd()
        .split('\n'),
    ).toEqual([
      'a: started',
      'a: finished',
      'first: waits for a decision (gate N): Pass first?',
      'first: approved by cli',
      'second: waits for a decision (gate N): Pass second?',
      'second: approved by cli',
      'b: started',
      'b: finished',
      'run: completed',
    ]);
  });

  it('ends at a pause if it is asked to, with JSON lines for programs', async () => {
    const runId = await startGates();
    const { code, stdout, stderr } = await ask('watch', 'gates', runId, '--until-paused', '--json');
    expect([code, stderr]).toEqual([3, '']);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type?: string; status?: string });
    expect(lines.map(({ type, status }) => type ?? status)).toEqual([
      'run.started',
      'unit.scheduled',
      'unit.finished',
      'gate.opened',
      'paused',
    ]);
  });

  it('ends at a pause that somebody asked for, once what was in flight has stopped', async () => {
    const runId = recordIn(await ask('start', 'slow')).runId;
    const child = start(['watch', 'slow', runId, '--until-paused', '--server', service.address]);
    child.stdin?.end();
    const end = ended(child);
    await once(child.stderr ?? child, 'data');
    await ask('pause', 'slow', runId, '--by', 'ann');
    const { code, stderr } = await end;
    expect([code, stderr]).toEqual([3, 'a: started\nrun: paused (requested): Paused by ann\n']);
    await ask('cancel', 'slow', runId);
  });

  it('prints without a run what all of them do, until Ctrl-C', async () => {
    const child = start(['watch', '--json', '--server', service.address]);
    let said = '';
    child.stdout?.on('data', (text: Buffer) => (said += text.toString()));
    const end = ended(child);
    const runIds: string[] = [];
    const somethingSaid = async (): Promise<boolean> => {
      runIds.push(recordIn(await ask('start', 'pause', '--sync')).runId);
      return said !== '';
    };
    // The stream begins when it is connected: until then runs are started repeatedly.
    await eventually(somethingSaid, Boolean);
    child.kill('SIGINT');
    expect((await end).code).toBe(130);
    expect(runIds).toContain((JSON.parse(said.split('\n')[0] ?? '') as { runId: string }).runId);
  });

  it('ends by Ctrl-C, and the run continues', async () => {
    const runId = await startGates();
    const child = start(['watch', 'gates', runId, '--server', service.address]);
    const end = ended(child);
    await once(child.stderr ?? child, 'data');
    child.kill('SIGINT');
    expect(await end).toMatchObject({ code: 130, stdout: '' });
    expect(recordIn(await ask('get', 'gates', runId)).status).toBe('paused');
  });
});

describe('a server that refuses', () => {
  it.each([
    [['get', 'gates', 'nope'], 'Unknown run: nope'],
    [['start', 'nope'], 'Unknown workflow: nope'],
    [['watch', 'nope', 'nope'], 'Unknown run: nope'],
  ])('%j ends with 1 and its words', async (args, sentence) => {
    const { code, stdout, stderr } = await ask(...args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(sentence);
  });

  it('is distinguished from one that is unreachable', async () => {
    const gone = await startUnitServer();
    await gone.close();
    const { code, stderr } = await ask('get', 'a', 'b', '--server', gone.url);
    expect([code, stderr]).toEqual([4, expect.stringContaining('flowgate serve')]);
  });

  it.each([
    [['get', 'a', 'b', '--server', 'localhost:8787'], '--server'],
    [['get', 'a', 'b', '--header', 'nonsense'], '--header is no header'],
    [['start', 'a', '--sync', '--wait'], 'mutually exclusive'],
    [['get', '', 'b'], 'workflowId'],
    [['approve', 'a', 'b', '--responder', ''], 'responder'],
    [['apply'], 'Name what to register: flowgate apply hello.yaml'],
  ])('gets no request from %j', async (args, sentence) => {
    const { code, stderr } = await ask(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
  });

  it('is sent the headers, whose values are shown nowhere', async () => {
    const proxy = await startUnitServer({ status: 401, body: { error: 'who are you?' } });
    const header = ['--header', 'Authorization: Bearer s3cret', '--header', 'X-Tenant: a:b'];
    const { code, stdout, stderr } = await ask(
      'get',
      'a',
      'b',
      '--server',
      `${proxy.url}/api/flowgate/`,
      ...header,
    );
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('who are you?');
    expect(stderr).not.toContain('s3cret');
    expect(proxy.requests[0]).toMatchObject({
      url: '/api/flowgate/workflows/a/runs/b',
      headers: { authorization: 'Bearer s3cret', 'x-tenant': 'a:b' },
    });
    await proxy.close();
  });
});
