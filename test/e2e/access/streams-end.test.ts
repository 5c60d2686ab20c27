import { hash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AuthUnavailableError } from '../../../src/errors/access-errors.js';
import type { Principal } from '../../../src/engine/index.js';
import { TestIssuer } from '../../access/support/issuer.js';
import type { AccessInMemory } from '../../support/access.js';
import { watch, type Watched } from '../../support/event-stream.js';
import { eventually } from '../../support/eventually.js';
import { beginSession, post2025 } from '../../support/mcp-clients.js';
import { startServiceWithAccess } from '../../support/service-with-access.js';
import { startService, type Service } from '../../support/service.js';
import { document, gate, mock } from '../../support/workflow-documents.js';

/** The timers are the service's own: what takes longer than this does not end by itself. */
const IN_TIME_MS = 15_000;

let service: Service;
let access: AccessInMemory;
let runId: string;
beforeAll(async () => {
  ({ service, access } = await startServiceWithAccess({ FLOWGATE_MCP_WORKFLOW_TOOLS: 'true' }));
  const admin = access.headersFor('*', 'admin');
  for (const yaml of [document('plain', [mock('a')]), document('gated', [gate('agree')])])
    expect((await service.post('/workflows/from-yaml', { yaml }, admin)).status).toBe(201);
  ({ runId } = (await service.post('/workflows/gated/runs', { sync: true }, admin)).body);
});
afterAll(() => service.close());
afterEach(() => (access.trouble = null));

const STREAMS = [
  '/runs',
  '/workflows/gated/runs',
  '/gates',
  '/events',
  '/workflows/gated/runs/:runId/events',
] as const;
const open = async (path: string, headers: Record<string, string>): Promise<Watched> => {
  const stream = await watch(`${service.url}${path.replace(':runId', runId)}`, { headers });
  expect([path, stream.status]).toEqual([path, 200]);
  return stream;
};
const openAll = (headers: Record<string, string>) => Promise.all(STREAMS.map((path) => open(path, headers)));
const END = 'event: end\ndata: {"status":"unauthorized"}\n\n';

/** With other grants, or until another instant, from now on. */
const change = (headers: Record<string, string>, more: Partial<Principal>): void =>
  access.change(headers, more);

describe('every stream of events', () => {
  it.each<readonly [string, (headers: Record<string, string>) => unknown]>([
    ['its owner was revoked', () => access.revokeOwner({} as Principal, 'ann')],
    ['its token has expired', (headers) => change(headers, { expiresAt: Date.now() })],
    [
      'its grant was lost',
      (headers) => change(headers, { grants: [{ namespace: 'default', roles: ['metrics'] }] }),
    ],
    ['its namespace was lost', (headers) => change(headers, { grants: [] })],
  ])(
    'says so and ends when %s, and those of others go on',
    async (_what, happens) => {
      const mine = access.headersOf('ann', [{ namespace: 'default', roles: ['viewer'] }]);
      const [streams, other] = [await openAll(mine), await open('/events', access.headersFor('*', 'viewer'))];
      await happens(mine);
      for (const [index, stream] of streams.entries()) {
        await stream.over;
        expect([STREAMS[index], stream.text().endsWith(END)]).toEqual([STREAMS[index], true]);
      }
      expect(other.text()).not.toContain('event: end');
      other.leave();
    },
    IN_TIME_MS,
  );

  it(
    'ends without a word when nobody can tell whether it may go on, so that its client comes back',
    async () => {
      const streams = await openAll(access.headersFor('default', 'viewer'));
      access.trouble = new AuthUnavailableError('The store of keys');
      for (const stream of streams) {
        await stream.over;
        expect(stream.text()).toMatch(/^retry: 2000\n/);
        expect(stream.text()).not.toContain('event: end');
      }
      const again = await service.call('GET', '/events', {
        headers: { ...access.headersFor('default', 'viewer'), accept: 'text/event-stream' },
      });
      expect([again.status, again.body.code]).toEqual([503, 'auth-unavailable']);
    },
    IN_TIME_MS,
  );

  it(
    'of one workflow ends with the grant for it, and one of all begins again with what is still shown',
    async () => {
      const mine = access.headersFor('default', 'viewer');
      const [ofOne, ofAll] = [await open('/workflows/gated/runs', mine), await open('/runs', mine)];
      change(mine, { grants: [{ namespace: 'default', roles: ['viewer'], workflows: ['plain'] }] });
      await Promise.all([ofOne.over, ofAll.over]);
      expect([ofOne.text().endsWith(END), ofAll.text().includes('event: end')]).toEqual([true, false]);
      const anew = await open('/runs', mine);
      await anew.until((events) => events.length > 0);
      expect(anew.events[0]?.data.items).toEqual([]);
      anew.leave();
    },
    IN_TIME_MS,
  );
});

it(
  'a request that waits for its run is answered, whatever became of its key meanwhile',
  async () => {
    const mine = access.headersOf('bob', [{ namespace: 'default', roles: ['admin'] }]);
    const yaml = document('slow', [{ id: 'a', uses: 'builtin.mock', config: { delayMs: 6_000 } }]);
    await service.post('/workflows/from-yaml', { yaml }, mine);
    const waiting = service.post('/workflows/slow/runs', { sync: true }, mine);
    const tool = { name: 'run_workflow', arguments: { workflowId: 'slow', sync: true } };
    const call = post2025(service, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool }, mine);
    const admin = access.headersFor('*', 'admin');
    const runs = () => service.call('GET', '/runs?workflowId=slow', { headers: admin });
    await eventually(runs, ({ body: list }) => list.items.length === 2);
    await access.revokeOwner({} as Principal, 'bob');
    const { status, body } = await waiting;
    expect([status, body.status]).toEqual([202, 'completed']);
    expect((await call).text).toContain('"completed"');
  },
  IN_TIME_MS * 2,
);

describe('a stream of MCP', () => {
  const SSE = { accept: 'application/json, text/event-stream' };
  const listen2026 = (mine: Record<string, string>): Promise<Watched> =>
    streamOf(
      { ...mine, ...SSE, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'subscriptions/listen',
        params: {
          notifications: { toolsListChanged: true, resourcesListChanged: true },
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      },
    );
  const listen2025 = async (mine: Record<string, string>): Promise<Watched> => {
    const session = await beginSession(service, { headers: mine });
    return watch(`${service.url}/mcp`, {
      headers: { ...mine, 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' },
    });
  };
  const streamOf = (headers: Record<string, string>, body: object): Promise<Watched> =>
    watch(`${service.url}/mcp`, { headers, body });

  it.each([
    ['2025-11-25', listen2025],
    ['2026-07-28', listen2026],
  ])(
    'of %s ends, and its client is refused then',
    async (_revision, listen) => {
      const mine = access.headersOf('ann', [{ namespace: 'default', roles: ['viewer'] }]);
      const [stream, other] = [await listen(mine), await listen(access.headersFor('default', 'viewer'))];
      expect([stream.status, other.status]).toEqual([200, 200]);
      let isOtherOver = false;
      void other.over.then(() => (isOtherOver = true));
      await access.revokeOwner({} as Principal, 'ann');
      await stream.over;
      expect((await service.call('POST', '/mcp', { headers: { ...mine, ...SSE }, body: {} })).status).toBe(
        401,
      );
      expect(isOtherOver).toBe(false);
      other.leave();
    },
    IN_TIME_MS,
  );
});

describe('with keys and an access file as they are', () => {
  const BOOTSTRAP = 'a-bootstrap-key-that-somebody-chose-0123456789';
  let issuer: TestIssuer;
  let folder: string;
  let accessFile: string;
  let own: Service;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'flowgate-streams-'));
    accessFile = join(folder, 'access.json');
    await grantTo('alice', 'bob');
    issuer = await new TestIssuer().start();
    await issuer.addKey('one');
    own = await startService({
      FLOWGATE_AUTH: 'keys,oidc',
      FLOWGATE_BOOTSTRAP_KEY_SHA256: hash('sha256', BOOTSTRAP),
      FLOWGATE_OIDC_ISSUER: issuer.url,
      FLOWGATE_OIDC_AUDIENCE: 'flowgate',
      FLOWGATE_ACCESS_FILE: accessFile,
    });
  });
  afterAll(async () => {
    await own.close();
    await issuer.stop();
    await rm(folder, { recursive: true });
  });

  const as = (secret: string) => ({ authorization: `Bearer ${secret}` });
  const grantTo = (...owners: readonly string[]): Promise<void> => {
    const grants = owners.map((owner) => ({ to: { owner }, namespace: 'default', roles: ['viewer'] }));
    return writeFile(accessFile, JSON.stringify({ grants }));
  };
  const token = (owner: string, seconds = 300): Promise<string> => {
    const now = Math.floor(Date.now() / 1000);
    return issuer.token({ sub: owner, iat: now, exp: now + seconds });
  };
  const listen = (secret: string): Promise<Watched> => watch(`${own.url}/events`, { headers: as(secret) });

  it(
    'a stream ends when its key is revoked or expires, its token expires, or its grant goes out of the file',
    async () => {
      const grants = [{ namespace: '*', roles: ['admin'] }];
      const root = (await own.post('/keys', { owner: 'root', grants }, as(BOOTSTRAP))).body.secret;
      const make = async (more: object = {}) =>
        (await own.post('/keys', { owner: 'carl', ...more }, as(root))).body;
      const [revoked, expiring, kept] = [
        await make(),
        await make({ expiresAt: Date.now() + 1_500 }),
        await make(),
      ];
      const ending = await Promise.all([
        listen(revoked.secret),
        listen(expiring.secret),
        listen(await token('bob', 2)),
        listen(await token('alice')),
      ]);
      const others = await Promise.all([listen(kept.secret), listen(await token('bob'))]);
      expect([...ending, ...others].map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
      expect((await own.call('DELETE', `/keys/${revoked.key.id}`, { headers: as(root) })).status).toBe(204);
      await grantTo('bob');
      for (const stream of ending) {
        await stream.over;
        expect(stream.text().endsWith(END)).toBe(true);
      }
      for (const stream of others) {
        expect(stream.text()).not.toContain('event: end');
        stream.leave();
      }
    },
    IN_TIME_MS * 2,
  );
});
