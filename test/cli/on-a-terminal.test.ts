import { join } from 'node:path';
import { widthOf } from '../../src/cli/terminal/display-width.js';
import type { RunRecord } from '../../src/engine/index.js';
import { inSequence } from '../support/engine.js';
import { startUnitServer } from '../support/unit-server.js';
import { commandOf, flowgate } from './support/built-cli.js';
import { folderWith } from './support/folder.js';
import { startService, type Service } from './support/service.js';
import { Terminal } from './support/terminal.js';

const gate = { id: 'ask', uses: 'builtin.approval', config: { title: 'Send it?', payload: { amount: 120 } } };
const folder = folderWith({
  'gate.yaml': inSequence('gate', [{ id: 'greet', uses: 'builtin.mock', config: { response: 'Hi' } }, gate]),
});

let service: Service;
beforeAll(async () => {
  service = await startService();
  const { code } = await flowgate([
    'apply',
    '-f',
    join(folder.path, 'gate.yaml'),
    '--server',
    service.address,
  ]);
  expect(code).toBe(0);
}, 60_000);
afterAll(async () => {
  await service.stop();
  folder.remove();
});

interface Sitting {
  readonly server: string;
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** What is typed once a question is there. */
  readonly typed?: string;
}

/** Runs one command at a terminal of its own. Both streams arrive as one text. */
async function atTerminal(args: readonly string[], { server, columns = 80, env, typed }: Sitting) {
  const terminal = new Terminal(commandOf(args), { columns, env: { FLOWGATE_SERVER: server, ...env } });
  if (typed !== undefined) {
    await terminal.shows('nothing: none');
    terminal.type(typed);
  }
  const code = await terminal.ended;
  return { code, lines: terminal.said.split('\r\n'), said: terminal.said, screen: terminal.lines };
}

/** Our own colours alone: what a run brought along stays. */
const COLOUR = new RegExp(`\u001B${String.raw`\[(?:1|2|22|3\d|39)m`}`, 'g');
const withoutColours = (text: string): string => text.replaceAll(COLOUR, '');
const item = (runId: string, more: object = {}) => ({
  runId,
  workflowId: 'nightly-report-of-all-regions',
  status: 'paused',
  createdAt: Date.now() - 3_600_000,
  updatedAt: Date.now(),
  endedAt: null,
  duration: 1_200,
  tokenUsage: 660,
  cost: 0,
  labels: { team: 'blue' },
  origin: 'client',
  cancelled: false,
  error: null,
  waitingFor: 'gate',
  openGates: [{ gateId: 4, unitId: 'approve', title: 'Send it to everybody? '.repeat(9), openedAt: 1 }],
  ...more,
});
const ITEMS = [
  item('01a21989-f018-7497-8ff1-4356f45e4c41'),
  item('01a21989-f018-7497-8ff1-4356f45e4c42', {
    status: 'failed',
    error: '\u001b[2J\u009b31mgone\r\u0007',
    workflowId: 'evil\u001b]0;title\u0007\nRUN',
    labels: { team: '\u001b[8mhidden' },
    openGates: [],
  }),
  item('01a21989-f018-7497-8ff1-4356f45e4c43', { status: 'failed', cancelled: true, openGates: [] }),
];

describe('the command line on a terminal', () => {
  describe('shows a list of runs', () => {
    let server: Awaited<ReturnType<typeof startUnitServer>>;
    beforeEach(async () => {
      server = await startUnitServer({ body: { items: ITEMS, next: null } });
    });
    afterEach(() => server.close());

    it.each([80, 120])(
      'that fits %i columns, by the ends of ids, with ages and durations',
      async (columns) => {
        const { code, lines } = await atTerminal(['runs'], { server: server.url, columns });
        expect(code).toBe(0);
        const plain = lines.map(withoutColours);
        for (const line of plain) expect(widthOf(line)).toBeLessThanOrEqual(columns);
        expect(plain[0]).toMatch(/^RUN +WORKFLOW +STATUS +AGE +DURATION +LABELS +ABOUT/);
        expect(plain[1]).toMatch(/^f45e4c41 +nightly\S* +paused +1h +1\.2 s +team:blue +waits for\S*/);
        expect(plain[3]).toMatch(/^f45e4c43 .*cancelled/);
        expect(lines[1]).toContain('\u001B[33mpaused\u001B[39m');
        expect(lines[2]).toContain('\u001B[31mfailed\u001B[39m');
      },
    );

    it('that no name, label or error of a run can steer', async () => {
      const { said } = await atTerminal(['runs', '--output', 'wide'], { server: server.url });
      // What is left are our own colours.
      expect(withoutColours(said)).not.toMatch(/[^\P{Cc}\r\n]/u);
      expect(said).not.toContain('\u001B[8m');
    });

    it('without colours with NO_COLOR', async () => {
      const { said } = await atTerminal(['runs'], { server: server.url, env: { NO_COLOR: '1' } });
      expect(said).toContain('f45e4c41');
      expect(said).not.toContain('\u001B');
    });

    it('as in a pipe, byte for byte, where CI is set', async () => {
      const { said } = await atTerminal(['runs'], { server: server.url, env: { CI: 'true' } });
      const piped = await flowgate(['runs', '--server', server.url]);
      expect(said.replaceAll('\r\n', '\n')).toBe(piped.stdout);
    });
  });

  it('ends a start with a few lines, and the next command, which does what it says', async () => {
    const seat = { server: service.address, env: { NO_COLOR: '1' } };
    const { code, lines, said } = await atTerminal(['start', 'gate', '--wait'], seat);
    expect(code).toBe(3);
    expect(lines.length).toBeLessThan(10);
    expect(said).not.toContain('{"runId"');
    expect(said).toMatch(/^gate [0-9a-f-]{36}: paused/m);
    const next = /^next: {2}flowgate (.+)\r$/m.exec(said)?.[1] ?? '';
    expect(next).toMatch(/^approve [0-9a-f-]{36}$/);
    const done = await flowgate(next.split(' '), { env: { FLOWGATE_SERVER: service.address } });
    expect([done.code, (JSON.parse(done.stdout) as RunRecord).status]).toEqual([0, 'completed']);
  });

  it('decides without an id at the only gate, asks among several, and says where none is', async () => {
    const seat = { server: service.address, env: { NO_COLOR: '1' } };
    const begin = async (): Promise<string> => {
      const { stdout } = await flowgate(['start', 'gate', '--sync', '--server', service.address]);
      return (JSON.parse(stdout) as RunRecord).runId;
    };
    const none = await atTerminal(['approve'], seat);
    expect([none.code, none.said]).toEqual([1, 'Nothing waits for a decision.\r\n']);

    const only = await begin();
    const approved = await atTerminal(['approve', '--responder', 'ann'], seat);
    expect([approved.code, approved.lines[0]]).toEqual([
      0,
      expect.stringMatching(
        new RegExp(`^gate ${only.slice(-8)}, ask \\(gate \\d+, \\d+\\w ago\\): Send it\\?$`),
      ),
    ]);
    expect(approved.lines[1]).toBe('  {"amount":120}');
    expect(approved.said).toContain(`gate ${only}: completed`);

    const older = await begin();
    await begin();
    const rejected = await atTerminal(['reject'], { ...seat, typed: '9\n2\n' });
    expect(rejected.code).toBe(0);
    expect(rejected.said).toContain(`gate ${older}: failed`);
    expect(rejected.said).toContain('error: Rejected by cli at gate ask');
    const left = await atTerminal(['approve'], { ...seat, env: { ...seat.env, CI: '1' } });
    expect([left.code, left.said]).toEqual([2, expect.stringContaining('<runId> is missing')]);
  });
});
