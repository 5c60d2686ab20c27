import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiKey, MadeKey, WhoAmI } from 'flowgate-client';
import { inSequence } from '../support/engine.js';
import { startUnitServer } from '../support/unit-server.js';
import { flowgate, type Ended } from './support/built-cli.js';
import { folderWith } from './support/folder.js';
import { startService, type Service } from './support/service.js';

const BOOTSTRAP = randomBytes(32).toString('base64');
const SECRET = /^fgk_[a-z2-7]{16}_[\w-]{43}$/;
const NOBODYS = `fgk_${'a'.repeat(16)}_${'b'.repeat(43)}`;

let service: Service;
let folder: ReturnType<typeof folderWith>;
let admin: string;
const at = (name: string): string => join(folder.path, name);
const as = (token: string | undefined, args: readonly string[], more: Record<string, string> = {}) =>
  flowgate(args, {
    env: {
      FLOWGATE_SERVER: service.address,
      ...(token === undefined ? {} : { FLOWGATE_TOKEN: token }),
      ...more,
    },
  });
const jsonIn = <T>({ stdout }: Ended): T => JSON.parse(stdout) as T;
const linesIn = ({ stdout }: Ended): readonly string[] => stdout.trimEnd().split('\n');
async function made(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await as(admin, ['keys', 'make', ...args]);
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  return stdout.trimEnd();
}

beforeAll(async () => {
  folder = folderWith({
    'wait.yaml': inSequence('wait', [{ id: 'agree', uses: 'builtin.approval', config: { title: 'So?' } }]),
    empty: '\n',
    large: 'x'.repeat(17 * 1024),
  });
  service = await startService({
    FLOWGATE_AUTH: 'keys',
    FLOWGATE_BOOTSTRAP_KEY_SHA256: createHash('sha256').update(BOOTSTRAP).digest('hex'),
  });
  const first = await as(BOOTSTRAP, ['keys', 'make', '--owner', 'ada@example.com', '--grant', '*:admin']);
  expect(first.code).toBe(0);
  admin = first.stdout.trimEnd();
  writeFileSync(at('admin.key'), `${admin}\n`);
}, 60_000);
afterAll(async () => {
  await service.stop();
  folder.remove();
});

describe('flowgate whoami', () => {
  it('is one line of JSON for programs, and a few lines for people', async () => {
    const me = await as(admin, ['whoami']);
    expect([me.code, me.stderr, linesIn(me)]).toEqual([0, '', [expect.any(String)]]);
    expect(jsonIn<WhoAmI>(me)).toMatchObject({ auth: 'key', owner: 'ada@example.com' });
    const table = linesIn(await as(admin, ['whoami', '--output', 'table']));
    expect(table[0]).toMatch(/^who: +ada@example\.com, by the API key /);
    expect(table.find((line) => line.startsWith('NAMESPACE'))).toMatch(/^NAMESPACE +WORKFLOWS +PERMISSIONS$/);
    expect(table.at(-1)).toMatch(/^\* +\* +run:read .*key:manage/);
  });

  it('says where nobody is asked that nobody is', async () => {
    const open = await startService();
    const { code, stdout } = await flowgate(['whoami', '--output', 'table', '--server', open.address]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('nobody is asked who they are')]);
    const keys = await flowgate(['keys', '--server', open.address]);
    expect([keys.code, keys.stdout]).toEqual([1, '']);
    expect(keys.stderr).toBe(
      'This server asks nobody who they are, so there is nothing of this: start it with FLOWGATE_AUTH=keys\n',
    );
    await open.stop();
  });
});

describe('flowgate keys', () => {
  it('prints a new secret once, to stdout alone', async () => {
    const answer = await as(admin, [
      'keys',
      'make',
      '--name',
      'ci',
      '--grant',
      'billing:operator,approver:invoice-*',
      '--expires',
      '90d',
    ]);
    expect([answer.code, answer.stdout]).toEqual([
      0,
      expect.stringMatching(new RegExp(`${SECRET.source.slice(0, -1)}\n$`)),
    ]);
    const secret = answer.stdout.trimEnd();
    expect(answer.stderr).toContain('shown this once');
    expect(answer.stderr).not.toContain(secret.slice(21));
    const listed = await as(admin, ['keys', '--json']);
    expect(listed.stdout + listed.stderr).not.toContain(secret.slice(21));
    const [newest] = linesIn(listed).map((line) => JSON.parse(line) as ApiKey);
    const days = ((newest?.expiresAt ?? 0) - (newest?.createdAt ?? 0)) / 86_400_000;
    expect([newest, Math.round(days)]).toMatchObject([
      {
        name: 'ci',
        owner: 'ada@example.com',
        grants: [{ namespace: 'billing', roles: ['operator', 'approver'], workflows: ['invoice-*'] }],
      },
      90,
    ]);
  });

  it('prints it once with --output json as well, next to its key', async () => {
    const answer = await as(admin, ['keys', 'make', '--grant', 'billing:viewer', '--output', 'json']);
    const { key, secret } = jsonIn<MadeKey>(answer);
    expect(secret).toMatch(SECRET);
    expect(answer.stdout.split(secret.slice(21))).toHaveLength(2);
    expect(answer.stderr).not.toContain(secret.slice(21));
    expect((await as(secret, ['whoami'])).stdout).toContain(key.id);
  });

  it('lists keys as a table whose columns stay as they are in a pipe', async () => {
    const [heading, ...rows] = linesIn(await as(admin, ['keys', 'list', '--owner', 'ada@example.com']));
    expect(heading).toMatch(/^KEY +OWNER +GRANTS +EXPIRES +LAST USED$/);
    expect(rows.at(-1)).toMatch(/^\S+ +ada@example\.com +\*:admin +\S+Z/);
    expect(linesIn(await as(admin, ['keys', '--limit', '1']))).toHaveLength(2);
  });

  it('gives a key another secret, and revokes it', async () => {
    const secret = await made('--owner', 'ci@example.com', '--grant', 'billing:viewer');
    const { id } = jsonIn<WhoAmI>(await as(secret, ['whoami']));
    const rotated = (await as(admin, ['keys', 'rotate', id, '--overlap', '1h'])).stdout.trimEnd();
    expect(rotated).toMatch(SECRET);
    for (const one of [secret, rotated]) expect((await as(one, ['whoami'])).code).toBe(0);
    const revoked = await as(admin, ['keys', 'revoke', id]);
    expect([revoked.code, revoked.stdout]).toEqual([0, '']);
    expect(revoked.stderr).toContain(`The key ${id} is good for nothing any more`);
    for (const one of [secret, rotated]) expect((await as(one, ['whoami'])).code).toBe(1);
  });

  it('revokes all that an owner has', async () => {
    const secret = await made('--owner', 'eve@example.com', '--grant', 'billing:viewer');
    const { code, stderr } = await as(admin, ['keys', 'revoke', '--owner', 'eve@example.com']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('No key of eve@example.com')]);
    expect((await as(secret, ['whoami'])).code).toBe(1);
  });

  it.each([
    [['keys', 'rotate'], '<keyId> is missing: write flowgate keys rotate <keyId>'],
    [['keys', 'revoke'], '<keyId> is missing'],
    [['keys', 'revoke', 'k', '--owner', 'ann'], 'A key and --owner are given'],
    [['keys', 'list', 'k'], 'flowgate keys list takes no key'],
    [['keys', 'rotate', 'k', '--grant', 'a:b'], '--grant is no option of flowgate keys rotate'],
    [['keys', 'make', '--grant', 'billing'], '--grant billing is no grant: write --grant billing:operator'],
    [['keys', 'make', '--expires', 'soon'], '--expires must be a time'],
    [['keys', 'rotate', 'k', '--overlap', 'long'], '--overlap must be a length of time'],
    [['keys', 'burn'], 'Choices: "list", "make", "rotate", "revoke"'],
  ])('refuses %j as it is written', async (args, words) => {
    const { code, stdout, stderr } = await as(admin, args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(words);
  });
});

describe('flowgate audit', () => {
  it('reads what the service has recorded, without a secret', async () => {
    const making = await as(admin, [
      'keys',
      'make',
      '--owner',
      'eve@example.com',
      '--grant',
      'default:viewer',
    ]);
    const audit = await as(admin, ['audit', '--action', 'key.make', '--json']);
    expect([audit.code, audit.stderr]).toEqual([0, '']);
    const owners = linesIn(audit).map(
      (line) => (JSON.parse(line) as { by: { owner: string } | null }).by?.owner,
    );
    expect(owners).toContain('ada@example.com');
    expect(audit.stdout).not.toContain(making.stdout.trimEnd());
    const refused = await as(making.stdout.trimEnd(), ['audit']);
    expect([refused.code === 0, refused.stdout]).toEqual([false, '']);
  });

  const act = (more: object) => ({
    id: 'a1',
    at: Date.UTC(2026, 10, 26, 12),
    action: 'gate.decide',
    namespace: 'billing',
    by: { id: 'k', owner: 'ada@example.com', via: 'http', auth: 'key' },
    workflowId: 'invoice',
    runId: '01a1f0c2-7c1e-7000-8000-000000000000',
    seq: 7,
    subject: null,
    target: null,
    facts: { unitId: 'agree', approved: true },
    ...more,
  });

  it('lists who did what, over as many pages as it takes', async () => {
    const acts = [act({}), act({ action: 'key.make', by: null, workflowId: null, runId: null, facts: {} })];
    const audit = await startUnitServer(({ url }) => ({
      body: url.includes('cursor=c1')
        ? { items: acts.slice(1), next: null }
        : { items: acts.slice(0, 1), next: 'c1' },
    }));
    const ask = (...args: string[]) => flowgate(['audit', '--server', audit.url, ...args]);
    const [heading, ...rows] = linesIn(await ask('--owner', 'ada@example.com', '--after', '2026-11-01'));
    expect(heading).toMatch(/^AT +WHO +ACTION +WORKFLOW +RUN +SUBJECT +TARGET$/);
    expect(rows[0]).toMatch(
      /^2026-11-26T12:00:00Z +ada@example\.com +gate\.decide +invoice +01a1f0c2-\S+ +unitId:agree approved:true$/,
    );
    expect(rows[1]).toMatch(/^2026-11-26T12:00:00Z +key\.make$/);
    expect(audit.requests[0]?.url).toBe('/audit?owner=ada%40example.com&after=1793491200000&limit=50');
    expect(linesIn(await ask('--json')).map((line) => JSON.parse(line) as object)).toEqual(acts);
    expect((await ask('--after', 'soon')).stderr).toContain('--after must be a time');
    await audit.close();
  });
});

describe('who the command line is', () => {
  it('comes from FLOWGATE_TOKEN, or from a file, which counts more', async () => {
    for (const args of [
      ['whoami', '--token-file', at('admin.key')],
      ['whoami', `--token-file=${at('admin.key')}`],
    ])
      expect((await as(NOBODYS, args)).code).toBe(0);
    const piped = await flowgate(['whoami', '--server', service.address, '--token-file', '-'], {
      stdin: `${admin}\n`,
    });
    expect(piped.code).toBe(0);
    const header = ['whoami', '--header', `Authorization: Bearer ${admin}`];
    expect((await as(NOBODYS, header)).code).toBe(0);
  });

  it.each([
    [['whoami', '--token', NOBODYS]],
    [[`--token=${NOBODYS}`, 'whoami']],
    [['whoami', NOBODYS]],
    [['runs', '--api-key', 'hush-hush']],
  ])('is never an argument: %#', async (args) => {
    const { code, stdout, stderr } = await as(admin, args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^A key or a token is no argument: .*FLOWGATE_TOKEN.*--token-file/);
    expect(stderr).not.toMatch(/bbbb|hush/);
  });

  it('is asked for in words of the command line where it is missing', async () => {
    const { code, stdout, stderr } = await as(undefined, ['runs']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      'This needs a valid key or token: put one into FLOWGATE_TOKEN, or name a file that holds one with --token-file\n',
    );
  });

  it('is said to be wrong where it stands', async () => {
    writeFileSync(at('nobody.key'), NOBODYS);
    const [variable, file] = await Promise.all([
      as(NOBODYS, ['runs']),
      as(undefined, ['runs', '--token-file', at('nobody.key')]),
    ]);
    expect([variable.code, file.code]).toEqual([1, 1]);
    expect(variable.stderr).toContain('The one in FLOWGATE_TOKEN is wrong, expired or revoked');
    expect(file.stderr).toContain('The one in the file of --token-file is wrong, expired or revoked');
    expect(variable.stderr + file.stderr).not.toContain('bbbb');
  });

  it.each([
    ['nothing', 'nothing cannot be read: there is no such file'],
    ['empty', 'empty holds no key or token'],
    ['large', 'large is larger than 16384 bytes'],
  ])('cannot come from the file %s', async (name, words) => {
    const { code, stderr } = await as(undefined, ['whoami', '--token-file', at(name)]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
  });

  it('cannot be two at a time', async () => {
    const header = ['--header', `Authorization: Bearer ${admin}`];
    const { code, stderr } = await as(undefined, ['whoami', '--token-file', at('admin.key'), ...header]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('leave one out')]);
    expect(stderr).not.toContain(admin);
    expect((await as('two words', ['whoami'])).stderr).toContain('FLOWGATE_TOKEN holds no key or token');
  });

  it('works in the namespace that is named, on the command line or in FLOWGATE_NAMESPACE', async () => {
    expect((await as(admin, ['apply', '-f', at('wait.yaml'), '--namespace', 'billing'])).code).toBe(0);
    const listed = await as(admin, ['workflows', '--json'], { FLOWGATE_NAMESPACE: 'billing' });
    expect(jsonIn(listed)).toMatchObject({ workflowId: 'wait' });
    const other = ['workflows', '--json', '--namespace', 'default'];
    expect((await as(admin, other, { FLOWGATE_NAMESPACE: 'billing' })).stdout).toBe('');
    const wrong = await as(admin, ['workflows', '--namespace', 'Billing']);
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringMatching(/^--namespace must be a lower-case/),
    ]);
    const run = await as(admin, ['start', 'wait', '--sync', '--output', 'table', '--namespace', 'billing']);
    expect(run.stdout).toMatch(/flowgate approve \S+ .*--namespace billing/);
  });

  it('is told which permission is missing, and where another namespace is named', async () => {
    const viewer = await made('--grant', 'billing:viewer');
    const start = await as(viewer, ['start', 'wait']);
    expect([start.code, start.stdout]).toEqual([1, '']);
    expect(start.stderr).toBe(
      'This needs the permission run:start in the namespace billing: ask whoever manages access for it, or name another ' +
        'namespace with --namespace or FLOWGATE_NAMESPACE\n',
    );
    const elsewhere = await as(viewer, ['runs', '--namespace', 'sales']);
    expect(elsewhere.stderr).toBe(
      'Nothing is granted in the namespace sales: flowgate whoami lists those that are; name one with --namespace or ' +
        'FLOWGATE_NAMESPACE\n',
    );
    const file = await as(viewer, ['apply', '-f', at('wait.yaml')]);
    expect([file.code, file.stderr]).toEqual([1, expect.stringContaining('workflow:register')]);
  });
});
