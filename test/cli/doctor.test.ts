import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { inSequence } from '../support/engine.js';
import { freePort } from '../support/free-port.js';
import { flowgate } from './support/built-cli.js';
import { folderWith } from './support/folder.js';
import { startService, type Service } from './support/service.js';

const folder = folderWith({
  'shop.yaml': inSequence('shop', [{ id: 'price', uses: 'shop.price' }]),
  'team/.flowgate.json': '{"output": "yaml", "namespace": "default"}',
  'wrong/.flowgate.json': '{"token": "hunter2"}',
  'led/.flowgate.json': '{"server": "https://flow.example.com"}',
});
/** An environment in which nothing is to be done. */
const SOUND = { FLOWGATE_REGISTRY: 'durable', PORT: '0', FLOWGATE_STORE: 'sqlite' };

interface Check {
  readonly check: string;
  readonly status: string;
  readonly message: string;
  readonly advice: string | null;
}

let service: Service;
beforeAll(async () => (service = await startService()), 60_000);
afterAll(async () => {
  await service.stop();
  folder.remove();
});

async function doctor(args: readonly string[], env: Readonly<Record<string, string>> = {}, cwd = '.') {
  const { code, stdout, stderr } = await flowgate(['doctor', '--output', 'json', ...args], {
    cwd: `${folder.path}/${cwd}`,
    env: { ...SOUND, ...env },
  });
  expect(stderr).toBe('');
  const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: readonly Check[] };
  expect(code).toBe(ok ? 0 : 1);
  // The disk of this machine may be slow, or in memory.
  const findings = checks.filter(({ check, status }) => status === 'finding' && check !== 'disk');
  for (const { advice } of findings) expect(advice).toMatch(/\.$/);
  return { code, stdout, checks, findings };
}

/** A server that answers so, for one test. */
async function withServer(answer: RequestListener, use: (address: string) => Promise<void>): Promise<void> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('flowgate doctor', () => {
  it('finds nothing to do, with 0, where all is sound', async () => {
    const { checks } = await doctor(['--server', service.address]);
    expect(checks.map(({ check, status }) => (check === 'disk' ? check : `${check} ${status}`))).toEqual([
      'node ok',
      'folder ok',
      'settings ok',
      'registry ok',
      'port ok',
      'data ok',
      'disk',
      'server ok',
      'units ok',
      'clock ok',
    ]);
  });

  it('speaks to people unless it is asked otherwise', async () => {
    const { code, stdout } = await flowgate(['doctor', '--server', 'http://127.0.0.1:1'], {
      cwd: folder.path,
      env: SOUND,
    });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ok {7}node {6}Node \d+/);
    expect(stdout).toMatch(
      /^finding {2}server .*cannot be reached.*--server its address\?\n +→ Start it, or say with --server/m,
    );
    expect(stdout).toMatch(/\n\d things? (?:is|are) to be done\.\n$/);
  });

  it('notes a server that nobody named, and is not there', async () => {
    const port = String(await freePort());
    const { findings, checks } = await doctor([], { FLOWGATE_SERVER: '' });
    const server = checks.find(({ check }) => check === 'server');
    // Port 8787 of the machine may be somebody else's.
    if (server?.status === 'note')
      expect([findings, server.advice]).toEqual([[], expect.stringContaining('flowgate serve')]);
    expect((await doctor([], { FLOWGATE_SERVER: `http://127.0.0.1:${port}` })).findings).toEqual([
      expect.objectContaining({ check: 'server', advice: 'Start it, or say with --server where it is.' }),
    ]);
  });

  it('finds a port that something else has, and not one that Flowgate has', async () => {
    await withServer(
      (_request, response) => response.end('hello'),
      async (address) => {
        const { findings } = await doctor(['--server', service.address], { PORT: new URL(address).port });
        expect(findings).toEqual([
          expect.objectContaining({ check: 'port', message: expect.stringContaining('in use') }),
        ]);
      },
    );
    const { findings, checks } = await doctor(['--server', service.address], {
      PORT: new URL(service.address).port,
    });
    expect(findings).toEqual([]);
    expect(checks).toContainEqual(
      expect.objectContaining({ check: 'port', message: expect.stringContaining('Flowgate listens') }),
    );
  });

  it('finds units that do not answer, and says which workflow calls them', async () => {
    const port = await freePort();
    const bind = ['--bind', `shop.price=http://127.0.0.1:${port}/secret-path`];
    const applied = await flowgate([
      'apply',
      `${folder.path}/shop.yaml`,
      ...bind,
      '--server',
      service.address,
    ]);
    expect(applied.code).toBe(0);
    const { findings, stdout } = await doctor(['--server', service.address]);
    expect(findings).toEqual([
      expect.objectContaining({
        check: 'units',
        message: `http://127.0.0.1:${port} does not answer (ECONNREFUSED): shop.price of shop is called there.`,
      }),
    ]);
    expect(stdout).not.toContain('secret-path');
    const removed = await flowgate(['unregister', 'shop', '--server', service.address]);
    expect(removed.code).toBe(0);
  });

  it('finds a server of another version, with another time, whose words cannot steer the terminal', async () => {
    const health = { ok: false, version: '9.1.0', error: '\u001B[2J\u009B1mgone', workflows: [] };
    await withServer(
      (request, response) => {
        response.setHeader('date', new Date(0).toUTCString());
        response.setHeader('content-type', 'application/json');
        response.end(
          JSON.stringify(request.url === '/health' ? health : { ok: true, workflows: [], items: [] }),
        );
      },
      async (address) => {
        const { findings } = await doctor(['--server', address]);
        expect(findings.map(({ check }) => check)).toEqual(['server', 'server', 'clock']);
        expect(findings[1]?.message).toContain('is Flowgate 9.1.0, and this command is');
        expect(findings[2]?.message).toContain('behind this one');
        const { stdout } = await flowgate(['doctor', '--server', address], { cwd: folder.path, env: SOUND });
        expect(stdout).toContain('gone');
        expect(stdout).not.toMatch(/[^\P{Cc}\n]/u);
      },
    );
  });

  it('says what the folder says, and what of it is wrong, without showing it', async () => {
    const { checks } = await doctor(['--server', service.address], { FLOWGATE_NAMESPACE: 'default' }, 'team');
    expect(checks).toContainEqual(
      expect.objectContaining({
        check: 'folder',
        message: expect.stringMatching(
          /team\/\.flowgate\.json says output yaml, namespace default \(the environment says otherwise\)$/,
        ),
      }),
    );
    const wrong = await doctor(['--server', service.address], {}, 'wrong');
    expect(wrong.findings).toEqual([
      expect.objectContaining({
        check: 'folder',
        message: expect.stringContaining('put the token into FLOWGATE_TOKEN'),
      }),
    ]);
    expect(wrong.stdout).not.toContain('hunter2');
  });

  it('shows no secret of the environment, nor of a setting that cannot be used', async () => {
    const secrets = {
      FLOWGATE_TOKEN: 'hunter2',
      FLOWGATE_SECRET_SHOP: 'hunter2',
      FLOWGATE_ENCRYPTION_KEY: 'hunter2',
      FLOWGATE_DATABASE_URL: 'hunter2',
    };
    const { findings, stdout } = await doctor(['--header', 'X-Key: hunter2'], secrets);
    expect(findings.length).toBeGreaterThan(1);
    expect(stdout).not.toContain('hunter2');
  });
});

describe('.flowgate.json', () => {
  it('names the server, the namespace and the form of what is printed, for each command in the folder', async () => {
    const here = folderWith({
      '.flowgate.json': { server: service.address, output: 'json' },
      'deep/er/x': '',
    });
    try {
      const cwd = `${here.path}/deep/er`;
      const applied = await flowgate(
        ['apply', `${folder.path}/shop.yaml`, '--bind', 'shop.price=http://127.0.0.1:1/'],
        { cwd },
      );
      expect(applied).toMatchObject({ code: 0 });
      const listed = await flowgate(['workflows'], { cwd });
      expect(JSON.parse(listed.stdout)).toMatchObject({ workflowId: 'shop' });
      const table = await flowgate(['workflows', '--output', 'table'], { cwd });
      expect(table.stdout).toMatch(/^WORKFLOW/);
      const elsewhere = await flowgate(['workflows'], {
        cwd,
        env: { FLOWGATE_SERVER: 'http://127.0.0.1:1' },
      });
      expect(elsewhere.code).toBe(4);
    } finally {
      here.remove();
    }
  });

  it('does not lead the token of the environment to a server of its own choice', async () => {
    const launch = { cwd: `${folder.path}/led`, env: { FLOWGATE_TOKEN: 'hunter2' } };
    const { code, stdout, stderr } = await flowgate(['workflows'], launch);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('FLOWGATE_TOKEN is not sent to https://flow.example.com, which');
    expect(stderr).toContain('--server or FLOWGATE_SERVER');
    expect(stderr).not.toContain('hunter2');
  });

  it('that is wrong keeps nobody from the help, nor from what asks no server', async () => {
    const launch = { cwd: `${folder.path}/wrong` };
    expect(await flowgate(['workflows'], launch)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('token cannot stand there'),
    });
    expect((await flowgate(['workflows', '--help'], launch)).code).toBe(0);
    expect((await flowgate(['validate', `${folder.path}/shop.yaml`], launch)).code).toBe(0);
  });
});
