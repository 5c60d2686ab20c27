import { inSequence } from '../support/engine.js';
import { flowgate } from './support/built-cli.js';
import { folderWith } from './support/folder.js';
import { startService, type Service } from './support/service.js';

const ask = { id: 'ask', uses: 'builtin.approval', config: { title: 'Send it?' } };
const search = { id: 'search', uses: 'builtin.mock', config: { response: 'x' } };
const folder = folderWith({
  'gate.yaml': inSequence('gate', [ask]),
  'mock.yaml': inSequence('mock', [search]),
});
const NOBODY = 'http://127.0.0.1:1';

let service: Service;
let runId: string;
beforeAll(async () => {
  service = await startService();
  const env = { FLOWGATE_SERVER: service.address };
  expect((await flowgate(['apply', folder.path], { env })).code).toBe(0);
  const { stdout } = await flowgate(['start', 'mock', '--sync'], { env });
  runId = (JSON.parse(stdout) as { runId: string }).runId;
}, 60_000);
afterAll(async () => {
  await service.stop();
  folder.remove();
});

/** What newcomers typed, and the way out that they are told. */
const MISTAKES: readonly (readonly [typed: string, code: number, way: string])[] = [
  ['lst', 2, 'Did you mean list?'],
  ['workflow', 2, 'Did you mean workflows?'],
  ['log', 2, 'Did you mean logs?'],
  ['status', 2, 'Did you mean describe?'],
  ['ps', 2, 'Did you mean runs?'],
  ['deploy gate.yaml', 2, 'Did you mean apply?'],
  ['run gate.yaml --inputs {}', 2, 'Did you mean --input?'],
  ['start gate --data {}', 2, 'Did you mean --input?'],
  ['start', 2, '<workflowId> is missing: write flowgate start <workflowId> (flowgate workflows lists them)'],
  [
    'approve',
    2,
    '<runId> is missing: write flowgate approve <runId>; flowgate gates lists the runs that wait.',
  ],
  ['get', 2, '<runId> is missing: write flowgate get [workflowId] <runId> (flowgate runs lists runs)'],
  ['get 01a206', 2, 'write the whole id, or its last 8 characters; flowgate runs lists runs.'],
  ['get gate', 2, 'is no id of a run'],
  ['start gat', 1, 'Unknown workflow: gat'],
  ['runs --state paused', 2, 'Did you mean --status?'],
  ['runs --since 1h', 2, 'Did you mean --created-after?'],
  ['runs --created-after yesterday', 2, '--created-after'],
  ['runs --output xml', 2, 'Choices: "json", "yaml", "table", "wide"'],
  ['start gate --input {name:Ada}', 2, '--input is not JSON'],
  ['run gone.yaml', 2, 'gone.yaml cannot be read: there is no such file.'],
  [`runs --server ${NOBODY}`, 4, 'is --server its address?'],
  ['runs --server 127.0.0.1:8787', 2, '--server'],
  ['approve RUN', 1, 'over'],
  ['runs --cancelled=maybe', 2, '--cancelled is either given or not'],
  ['run gate.yaml --approve=yes', 2, 'write --approve, or --approve=false.'],
  ['resume RUN --max-tokens=', 2, '--max-tokens has no value: write one after it, or leave it out.'],
  ['resume RUN --max-cost= --json', 2, '--max-cost has no value'],
  ['runs --server=', 2, '--server has no value'],
  ['whoami --token fgk_x', 2, 'name that with --token-file'],
];

describe('a mistake at the command line', () => {
  it.each(MISTAKES)('flowgate %s ends with %i, and leads on: %s', async (typed, code, way) => {
    const args = typed.split(' ').map((word) => (word === 'RUN' ? runId : word));
    const {
      code: ended,
      stdout,
      stderr,
    } = await flowgate(args, {
      cwd: folder.path,
      env: { FLOWGATE_SERVER: service.address },
    });
    expect([ended, stdout]).toEqual([code, '']);
    expect(stderr).toContain(way);
    // Nothing of HTTP, nor of a client's code.
    expect(stderr).not.toMatch(/baseUrl|timeoutMs|\b(?:GET|POST|DELETE) \/|\{"budget"|^\s+at /m);
  });

  it('that cancels what is over is told so, and changes nothing', async () => {
    const { code, stderr } = await flowgate(['cancel', runId], { env: { FLOWGATE_SERVER: service.address } });
    expect([code, stderr]).toEqual([0, 'Nothing was cancelled: the run is over (completed).\n']);
  });

  it('is told in a terminal or a pipe without steering it', async () => {
    for (const args of [
      ['\u001B[2Jx'],
      ['runs', '--\u001B]0;x\u0007'],
      ['get', '\u009B2J'],
      ['run', '\u001B[2J.yaml'],
    ]) {
      const { code, stderr } = await flowgate(args, {
        cwd: folder.path,
        env: { FLOWGATE_SERVER: service.address },
      });
      expect(code).toBe(2);
      expect(stderr).not.toMatch(/[^\P{Cc}\n\t]/u);
    }
  });
});
