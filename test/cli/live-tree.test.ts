import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { widthOf } from '../../src/cli/terminal/display-width.js';
import { workflowYaml } from '../support/engine.js';
import { commandOf, flowgate } from './support/built-cli.js';
import { folderWith } from './support/folder.js';
import { startService, type Service } from './support/service.js';
import { Terminal } from './support/terminal.js';

const EVIL = '\u001b[2J\u009b31m\u001b]0;title\u0007evil';
const each = (items: string) => ({
  units: [
    {
      id: 'row',
      uses: 'demo.row',
      with: { name: '${{ item }}' },
      policyOverrides: { retry: { maxAttempts: 1 } },
    },
  ],
  flow: {
    type: 'foreach',
    items,
    itemKey: 'item',
    failureStrategy: 'best-effort',
    maxConcurrency: 4,
    do: 'row',
  },
});
const many = Array.from({ length: 60 }, (_, index) => `unit-${index}`);
const folder = folderWith({
  'report.yaml': workflowYaml('report', each('input.names')),
  'wide.yaml': workflowYaml('wide', {
    units: many.map((id) => ({ id, uses: 'demo.row', with: { name: 'hold' } })),
    flow: { type: 'parallel', units: many },
  }),
});
const NAMES = Array.from({ length: 50 }, (_, index) => (index % 20 === 9 ? `bad-${index}` : `item-${index}`));
const INPUT = JSON.stringify({ names: [...NAMES.slice(0, 49), 'hold'] });

/** A unit that fails for some names, and answers for `hold` once it is released. */
class RowUnit {
  readonly #held = new Set<ServerResponse>();
  #isReleased = false;
  readonly #server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (text: Buffer) => (body += text.toString()));
    request.on('end', () => {
      const name = /"name":"([^"]*)"/.exec(body)?.[1] ?? '';
      response.statusCode = name.startsWith('bad') || name.includes('evil') ? 400 : 200;
      response.setHeader('content-type', 'application/json');
      if (name === 'hold' && !this.#isReleased) this.#held.add(response);
      else response.end(JSON.stringify(response.statusCode === 200 ? { content: 'ok' } : { error: EVIL }));
    });
  });

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** From now on those who ask for `hold` wait. */
  hold(): void {
    this.#isReleased = false;
  }

  release(): void {
    this.#isReleased = true;
    for (const response of this.#held) response.end(JSON.stringify({ content: 'ok' }));
    this.#held.clear();
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

const unit = new RowUnit();
const terminals: Terminal[] = [];
let service: Service;
let bind: string;
beforeAll(async () => {
  bind = `demo.row=${await unit.listen()}`;
  service = await startService();
  const { code } = await flowgate([
    'apply',
    join(folder.path, 'report.yaml'),
    '--bind',
    bind,
    '--server',
    service.address,
  ]);
  expect(code).toBe(0);
}, 60_000);
beforeEach(() => unit.hold());
afterEach(() => {
  unit.release();
  for (const terminal of terminals.splice(0)) terminal.kill();
});
afterAll(async () => {
  await service.stop();
  unit.close();
  folder.remove();
});

interface Sitting {
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
}

function sit(args: readonly string[], { columns = 80, env = {} }: Sitting = {}): Terminal {
  const server = { FLOWGATE_SERVER: service.address };
  const terminal = new Terminal(commandOf(args), { columns, rows: 24, env: { ...server, ...env } });
  terminals.push(terminal);
  return terminal;
}

const running = (file: string, input = INPUT): readonly string[] => [
  'run',
  join(folder.path, file),
  '--bind',
  bind,
  '--input',
  input,
];
const COLOUR = new RegExp(`\u001B${String.raw`\[\d+m`}`, 'g');
/** What a frame is made of, but for text: colours, the way up to its first line, and what clears the screen from there on. */
const OWN_CODES = new RegExp(`\u001B${String.raw`\[(?:\d+A|J|\d{1,2}m)`}`, 'g');

describe('a run on a terminal', () => {
  it.each([
    ['run', 80],
    ['start --wait', 120],
  ])('of %s is one tree at %i columns, drawn over itself until it is settled', async (command, columns) => {
    const args = command === 'run' ? running('report.yaml') : ['start', 'report', '--wait', '--input', INPUT];
    const terminal = sit(args, { columns, env: { NO_COLOR: '1' } });
    await terminal.shows('49/50');
    const [head = '', ...rows] = terminal.lines;
    expect(head).toMatch(/^report: running \(.+\)$/);
    expect(rows[0]).toMatch(/^ {2}● each row +49\/50 {2}2 failed: bad-9, bad-29$/);
    expect(rows[1]).toMatch(/^ {4}✗ row \(bad-9\) +failed after .+m?s: HTTP 400: .*error/);
    expect(rows.at(-1)).toMatch(/^ {4}● row \(hold\) +\d/);
    for (const line of terminal.lines) expect(widthOf(line)).toBeLessThan(columns);
    unit.release();
    expect(await terminal.ended).toBe(0);
    // Nothing of the frames before is left.
    expect(terminal.text).not.toContain('running');
    expect(terminal.lines[0]).toMatch(/^ {2}✗ each row +50\/50 {2}2 failed: bad-9, bad-29$/);
    expect(terminal.text).toMatch(/^report [0-9a-f-]{36}: completed \(.+\)$/m);
    expect(terminal.said.match(COLOUR)).toBeNull();
  });

  it('of watch is the same, from what happened before on', async () => {
    const started = await flowgate(['start', 'report', '--input', INPUT, '--server', service.address]);
    const { runId } = JSON.parse(started.stdout) as { readonly runId: string };
    const terminal = sit(['watch', runId]);
    await terminal.shows('49/50');
    unit.release();
    expect(await terminal.ended).toBe(0);
    expect(terminal.lines[0]).toMatch(/^ {2}✗ each row +50\/50/);
    expect(terminal.said).toContain('\u001B[31m');
  });

  it('never has more lines than the screen, so that no frame is left above it', async () => {
    const terminal = sit(running('wide.yaml', '{}'));
    await terminal.shows(/\d+ more lines/);
    await terminal.shows(/wide: running \((?:[1-9]|\d\d)\.\d s/);
    expect(terminal.lines.length).toBeLessThanOrEqual(24);
    expect(terminal.text.match(/wide: running/g)).toHaveLength(1);
    unit.release();
    expect(await terminal.ended).toBe(0);
    const steps = terminal.lines.filter((line) => /unit-|finished|more lines/.test(line));
    expect(steps).toHaveLength(30);
  });

  it('lets no item, error or name of a unit steer the terminal', async () => {
    const terminal = sit(running('report.yaml', JSON.stringify({ names: [EVIL, 'hold'] })));
    await terminal.shows('1/2');
    unit.release();
    expect(await terminal.ended).toBe(0);
    expect(terminal.text).toContain('evil');
    expect(terminal.said.replaceAll(OWN_CODES, '')).not.toMatch(/[^\P{Cc}\r\n]/u);
  });

  it('leaves the terminal as it was after Ctrl-C', async () => {
    const terminal = sit(running('report.yaml'));
    await terminal.shows('49/50');
    terminal.type('\u0003');
    expect(await terminal.ended).toBe(130);
    expect(terminal.cursorColumn).toBe(0);
    expect(terminal.text).not.toContain('report: running');
    expect(terminal.lines[0]).toMatch(/^ {2}● each row +49\/50/);
    // No mode was set that would have to be taken back, and the last colour was.
    expect(terminal.said).not.toContain('\u001B[?');
    expect(terminal.said.match(COLOUR)?.at(-1)).toMatch(/\[(?:0|22|39)m$/);
  });

  it.each([{ CI: 'true' }, { TERM: 'dumb', NO_COLOR: '1' }])(
    'is lines, as in a pipe, with %j',
    async (env) => {
      const terminal = sit(['start', 'report', '--wait', '--input', '{"names": ["a", "b"]}'], {
        columns: 120,
        env,
      });
      expect(await terminal.ended).toBe(0);
      expect(terminal.lines.slice(0, 4).toSorted()).toEqual([
        'row (a): finished',
        'row (a): started',
        'row (b): finished',
        'row (b): started',
      ]);
      expect(terminal.said).not.toContain('\u001B');
    },
  );
});
