import {
  ForbiddenException,
  VersioningType,
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
  type NestInterceptor,
} from '@nestjs/common';
import { Engine, FlowgateModule, type HostRequest } from '../../../src/index.js';
import { OfficialGateway } from '../../../src/mcp/official/official-gateway.js';
import type { Session } from '../../../src/mcp/official/sessions/sessions.js';
import { ADAPTERS, startHost, type HostOptions } from '../../support/host.js';
import { beginSession, connectMcp, post2025, REVISIONS, dataOf } from '../../support/mcp-clients.js';
import { eventually } from '../../support/eventually.js';
import { serviceOf, type Service } from '../../support/service.js';
import { document, gate, mock } from '../../support/workflow-documents.js';

let app: INestApplication | undefined;
let service: Service;
afterEach(async () => {
  const closing = app?.close();
  // A connection that a client has opened and never used would keep the server of a host from closing.
  app?.getHttpServer().closeAllConnections();
  await closing;
  app = undefined;
});

const person = () => ({ action: 'accept' as const, content: { approved: true, responder: 'ada' } });

/** Refuses callers without the password. */
const guard: CanActivate = {
  canActivate(context: ExecutionContext) {
    const { headers } = context.switchToHttp().getRequest<HostRequest>();
    if (headers['authorization'] === 'Bearer word') return true;
    throw new ForbiddenException('say the word');
  },
};

describe.each(ADAPTERS)('on %s', (adapter) => {
  async function host(options: Omit<HostOptions, 'adapter'> = {}, prefix = '/flowgate'): Promise<void> {
    app = await startHost({ adapter, ...options });
    service = serviceOf(app, prefix);
    await service.register(document('gated', [gate('agree'), mock('b')]));
  }

  describe.each(REVISIONS)('a client of %s', (revision) => {
    /** Lists the tools, runs a workflow to its gate, is asked, and receives progress. */
    async function works(headers: Record<string, string> = {}): Promise<void> {
      const mcp = await connectMcp(service, revision, { person, headers });
      expect((await mcp.client.listTools()).tools).toHaveLength(9);
      const seen: unknown[] = [];
      const call = { name: 'run_workflow', arguments: { workflowId: 'gated', sync: true } };
      const result = await mcp.client.callTool(call, {
        onprogress: ({ message }) => void seen.push(message),
      });
      expect(dataOf(result)).toMatchObject({
        status: 'completed',
        result: { state: { 'output.agree': { responder: 'ada' } } },
      });
      expect(seen[1]).toBe('agree waits for a person');
      await mcp.close();
    }

    it('works below the prefix', async () => {
      await host();
      await works();
    });

    it('works below a prefix of the host, a version and another of its own', async () => {
      const setUp = (made: INestApplication) =>
        made.setGlobalPrefix('api').enableVersioning({ type: VersioningType.URI, defaultVersion: '3' });
      await host({ flowgate: { prefix: 'flows' }, setUp }, '/api/flows');
      await works();
    });

    it('works behind a guard of the host, which refuses everybody else', async () => {
      await host();
      await app!.close();
      app = await startHost({ adapter, setUp: (made) => made.useGlobalGuards(guard) });
      service = serviceOf(app, '/flowgate');
      await app.get(Engine).workflows.register({ yaml: document('gated', [gate('agree'), mock('b')]) });
      await works({ authorization: 'Bearer word' });
      await expect(connectMcp(service, revision)).rejects.toThrow(/say the word|HTTP 403/);
      for (const method of ['POST', 'GET', 'DELETE']) {
        const { status, body } = await service.call(method, '/mcp', {
          headers: { accept: 'application/json, text/event-stream', 'mcp-session-id': 'x' },
        });
        expect([method, status, body.error]).toEqual([method, 403, 'say the word']);
      }
    });

    it('works where the host has interceptors and pipes', async () => {
      const passing: NestInterceptor = { intercept: (_context, next) => next.handle() };
      const setUp = (made: INestApplication) =>
        made.useGlobalInterceptors(passing).useGlobalPipes({ transform: (value: unknown) => value });
      await host({ setUp });
      await works();
    });

    it('works at every instance by itself', async () => {
      await host({
        imports: [
          FlowgateModule.forRoot({ name: 'billing', prefix: 'billing', serverName: 'bills' }),
          FlowgateModule.forRoot({ name: 'shipping', prefix: 'shipping', mcp: { tools: ['get_run'] } }),
          FlowgateModule.forRoot(),
        ],
      });
      await works();
      const billing = await connectMcp(serviceOf(app!, '/billing'), revision);
      expect(billing.client.getServerVersion()?.name).toBe('bills');
      expect(dataOf(await billing.tool('list_workflows')).workflows).toEqual([]);
      const shipping = await connectMcp(serviceOf(app!, '/shipping'), revision);
      expect((await shipping.client.listTools()).tools.map(({ name }) => name)).toEqual(['get_run']);
      await billing.close();
      await shipping.close();
    });

    it('is disconnected when the host ends', async () => {
      await host();
      const mcp = await connectMcp(service, revision);
      await mcp.tool('list_workflows');
      const from = Date.now();
      await app!.close();
      expect(Date.now() - from).toBeLessThan(15_000);
      app = undefined;
      await mcp.close();
    });
  });

  it('a session of one instance is none of another', async () => {
    await host({
      imports: [FlowgateModule.forRoot({ name: 'billing', prefix: 'billing' }), FlowgateModule.forRoot()],
    });
    const mcp = await connectMcp(service, '2025-11-25');
    const id = mcp.transport.sessionId!;
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const headers = { 'mcp-session-id': id };
    expect((await post2025(service, ping, headers)).status).toBe(200);
    expect((await post2025(serviceOf(app!, '/billing'), ping, headers)).status).toBe(404);
    await mcp.close();
  });

  it('the CORS headers of the host are on every response, streams too', async () => {
    const setUp = (made: INestApplication) => made.enableCors({ origin: 'https://console.example' });
    await host({ setUp });
    const params = {
      name: 'run_workflow',
      arguments: { workflowId: 'gated', sync: true },
      _meta: { progressToken: 1 },
    };
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const mcp = await connectMcp(service, '2025-11-25', { person });
    const ofSession = { origin: 'https://console.example', 'mcp-session-id': mcp.transport.sessionId! };
    const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };
    const paused = { ...call, params: { ...params, arguments: { workflowId: 'gated' } } };
    for (const body of [ping, paused]) {
      const { headers } = await post2025(service, body, ofSession);
      expect(headers['access-control-allow-origin']).toBe('https://console.example');
      expect(headers['content-type']).toMatch(body === ping ? /application\/json/ : /text\/event-stream/);
    }
    await mcp.close();
  });

  it('a page may read the id of its session, if the host lets it', async () => {
    const setUp = (made: INestApplication) =>
      made.enableCors({ origin: 'https://console.example', exposedHeaders: ['Mcp-Session-Id'] });
    await host({ setUp });
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    };
    const { headers } = await post2025(
      service,
      { jsonrpc: '2.0', id: 0, method: 'initialize', params },
      { origin: 'https://console.example' },
    );
    expect(headers).toMatchObject({
      'access-control-expose-headers': 'Mcp-Session-Id',
      'mcp-session-id': expect.any(String),
      'access-control-allow-origin': 'https://console.example',
    });
  });

  it('a large record is summarised over the wire, and says where it is whole', async () => {
    await host();
    await service.register(document('large', [mock('a')]));
    const mcp = await connectMcp(service, '2026-07-28');
    const input = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`k${i}`, 'x'.repeat(10_000)]));
    const record = dataOf(await mcp.tool('run_workflow', { workflowId: 'large', input, sync: true }));
    expect(record.omitted.state.length).toBeGreaterThan(20);
    const whole = await service.get(record.omitted.path);
    expect(whole.body.result.state).toMatchObject(input);
    await mcp.close();
  });

  it('a client that disconnects in the middle of a stream affects nobody', async () => {
    await host();
    const mcp = await connectMcp(service, '2025-11-25', { person: () => new Promise(() => undefined) });
    const waiting = mcp.tool('run_workflow', { workflowId: 'gated', sync: true });
    await new Promise((resolve) => setTimeout(resolve, 100));
    await mcp.close();
    await expect(waiting).rejects.toThrow('Connection closed');
    await eventually(
      async () => (await service.get('/health')).status,
      (status) => status === 200,
    );
  });
});

describe('a client that disconnects while the host looks up its principal', () => {
  let found: PromiseWithResolvers<undefined>;
  let sessionId: string;

  /** Sends the body, disconnects before the host knows the principal, and lets the host find out. */
  async function hurry(body?: object): Promise<Session> {
    const asked = Promise.withResolvers<void>();
    found = Promise.withResolvers();
    app = await startHost({
      adapter: 'express',
      flowgate: {
        actor: ({ headers }) => {
          if (headers['x-slow'] === undefined) return undefined;
          asked.resolve();
          return found.promise;
        },
      },
    });
    service = serviceOf(app, '/flowgate');
    await service.register(document('gated', [gate('agree'), mock('b', 1)]));
    sessionId = await beginSession(service, { capabilities: { elicitation: {} } });
    const headers = {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-session-id': sessionId,
      'x-slow': 'yes',
    };
    const gone = new AbortController();
    const request = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const answer = fetch(`${service.url}/mcp`, { headers, signal: gone.signal, ...request });
    await asked.promise;
    gone.abort();
    await expect(answer).rejects.toThrow(/abort/);
    await new Promise((resolve) => setTimeout(resolve, 50));
    found.resolve(undefined);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const gateway = app.get(OfficialGateway, { strict: false }) as unknown as {
      readonly profile: Promise<{
        readonly serving: { readonly sessions: { readonly open: Map<string, Session> } };
      }>;
    };
    return (await gateway.profile).serving.sessions.open.get(sessionId)!;
  }

  it('does not listen', async () => {
    expect((await hurry()).transport.isListenedTo).toBe(false);
  });

  it('does not wait for a result, nor for a person', async () => {
    const params = { name: 'run_workflow', arguments: { workflowId: 'gated', sync: true } };
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    expect((await hurry(call)).transport.pending).toBe(0);
  });
});
