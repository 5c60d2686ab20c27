import { createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { deflateSync, gzipSync } from 'node:zlib';
import type { TransportResponse, UnitTransport } from '../../../ports/unit-transport.js';
import { startUnitServer, type UnitServer } from '../../../../../test/support/unit-server.js';
import { WAYS } from '../../../../../test/support/unit-transports.js';
import { LargeResponses } from '../large-responses/large-responses.js';

describe.each(WAYS)('over %s', (_way, createTransport) => {
  let server: UnitServer;
  let transport: UnitTransport;

  beforeEach(async () => {
    server = await startUnitServer();
    transport = createTransport();
  });

  afterEach(async () => {
    await transport.close();
    await server.close();
  });

  interface PostOptions {
    readonly url?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly maxResponseBytes?: number;
    readonly signal?: AbortSignal;
    readonly via?: UnitTransport;
    readonly holder?: NonNullable<Parameters<UnitTransport['post']>[0]['holder']>;
  }

  function post(options: PostOptions = {}): Promise<TransportResponse> {
    return (options.via ?? transport).post({
      url: options.url ?? `${server.url}/unit`,
      headers: options.headers ?? { 'Content-Type': 'application/json' },
      body: options.body ?? '{}',
      maxResponseBytes: options.maxResponseBytes ?? 1000,
      signal: options.signal ?? new AbortController().signal,
      ...(options.holder === undefined ? {} : { holder: options.holder }),
    });
  }

  /** A server below HTTP: what it does with a connection is up to the test. */
  async function startRawServer(
    onSocket: (socket: Socket) => void,
  ): Promise<{ url: string; server: Server }> {
    const raw = createServer((socket) => {
      socket.on('error', () => socket.destroy());
      onSocket(socket);
    });
    raw.listen(0, '127.0.0.1');
    await once(raw, 'listening');
    return { url: `http://127.0.0.1:${(raw.address() as AddressInfo).port}`, server: raw };
  }

  describe('a call', () => {
    test('posts the body and the headers as they are, and brings back status, headers and body', async () => {
      server.answer({
        status: 418,
        headers: { 'X-Kind': 'teapot', 'X-List': ['a', 'b'], 'content-type': 'text/plain' },
        body: 'hällo',
      });
      const response = await post({
        url: `${server.url}/a/b?c=d%20e#f`,
        headers: { 'X-One': '1' },
        body: '{"ä":1}',
      });
      expect(response).toMatchObject({
        kind: 'response',
        status: 418,
        headers: { 'x-kind': 'teapot', 'x-list': 'a, b', 'content-type': 'text/plain' },
        body: 'hällo',
      });
      expect(server.requests[0]).toMatchObject({ method: 'POST', url: '/a/b?c=d%20e', body: '{"ä":1}' });
      expect(server.requests[0]!.headers).toMatchObject({ 'x-one': '1', 'accept-encoding': 'identity' });
    });

    test('sends the credentials of the address as basic authentication, unless a header says otherwise', async () => {
      const url = `http://us%40er:p%3Aw@127.0.0.1:${server.port}/`;
      await post({ url });
      await post({ url, headers: { Authorization: 'Bearer t' } });
      const basic = `Basic ${Buffer.from('us@er:p:w').toString('base64')}`;
      expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([basic, 'Bearer t']);
    });

    test.each([301, 302, 303, 307, 308])('does not follow a redirect (%d)', async (status) => {
      server.answer({ status, headers: { location: `${server.url}/elsewhere` } });
      expect(await post()).toMatchObject({ kind: 'response', status });
      expect(server.requests).toHaveLength(1);
    });

    test('a header named like a method of axios is sent like any other', async () => {
      const headers = { get: '1', set: '2', constructor: '3', normalize: '4', 'content-type': 'a/b' };
      expect(await post({ headers })).toMatchObject({ kind: 'response' });
      expect(server.requests[0]!.headers).toMatchObject(headers);
    });

    test('reads the charset that the content type names, and skips a byte order mark', async () => {
      server.answer({
        headers: { 'content-type': 'text/plain; charset="ISO-8859-1"' },
        body: Buffer.from([0xe4]),
      });
      expect(await post()).toMatchObject({ body: 'ä' });
      server.answer({ headers: { 'content-type': 'text/plain; charset=martian' }, body: '\uFEFFä' });
      expect(await post()).toMatchObject({ body: 'ä' });
    });
  });

  describe('connections', () => {
    test('are kept and used again', async () => {
      for (let i = 0; i < 20; i += 1) await post();
      // Two, because the next call may begin just before the pool has taken the first connection back.
      expect(server.acceptedConnections).toBeLessThanOrEqual(2);
    });

    test('are at most as many per origin as configured; further calls wait', async () => {
      const own = createTransport({ maxConnectionsPerOrigin: 2 });
      await Promise.all(Array.from({ length: 10 }, () => post({ via: own })));
      expect(server.requests).toHaveLength(10);
      expect(server.acceptedConnections).toBe(2);
      await own.close();
    });

    test('end when the transport is closed; calls under way and later ones are network errors', async () => {
      await post();
      server.answer(() => undefined);
      const underWay = post();
      await server.received(2);
      await transport.close();
      expect(await underWay).toEqual({ kind: 'network-error', reason: 'transport is closed' });
      await server.disconnected();
      expect(await post()).toEqual({ kind: 'network-error', reason: 'transport is closed' });
    });
  });

  describe('the limit of a response', () => {
    test('lets a body of exactly that size through', async () => {
      server.answer({ body: 'x'.repeat(1000) });
      expect(await post()).toMatchObject({ kind: 'response', body: 'x'.repeat(1000) });
    });

    test('disconnects a body without a length as soon as it is passed', async () => {
      let stopped: () => void = () => undefined;
      const dropped = new Promise<void>((resolve) => {
        stopped = resolve;
      });
      server.answer((_request, response) => {
        const pump = setInterval(() => response.write('x'.repeat(400)), 1);
        response.on('close', () => {
          clearInterval(pump);
          stopped();
        });
      });
      expect(await post()).toEqual({ kind: 'too-large' });
      await dropped;
    });

    test('refuses a declared length without waiting for the body', async () => {
      server.answer((_request, response) => {
        response.writeHead(200, { 'content-length': '1001' });
        response.flushHeaders();
      });
      expect(await post()).toEqual({ kind: 'too-large' });
    });

    test('counts what a compressed body expands to, although no compression was requested', async () => {
      // Made before the first call: it holds up the process, and on a busy machine so long that an idle connection would be given up.
      const bomb = gzipSync('x'.repeat(100_000_000));
      server.answer({ headers: { 'content-encoding': 'gzip' }, body: gzipSync('x'.repeat(1000)) });
      expect(await post()).toMatchObject({ kind: 'response', body: 'x'.repeat(1000) });
      server.answer({ headers: { 'content-encoding': 'deflate' }, body: deflateSync('x'.repeat(1001)) });
      expect(await post()).toEqual({ kind: 'too-large' });
      server.answer({ headers: { 'content-encoding': 'gzip' }, body: bomb });
      expect(await post({ maxResponseBytes: 1_000_000 })).toEqual({ kind: 'too-large' });
    });

    test('content of an unknown or broken coding cannot be read', async () => {
      const unreadable = { kind: 'network-error', reason: 'content encoding of the response cannot be read' };
      server.answer({ headers: { 'content-encoding': 'zip' }, body: 'PK' });
      expect(await post()).toEqual(unreadable);
      server.answer({ headers: { 'content-encoding': 'gzip' }, body: 'PK' });
      expect(await post()).toEqual(unreadable);
    });
  });

  describe('a unit that sends something before its response', () => {
    const rawResponse = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok';

    test('with 102 or 103 is read to its end', async () => {
      const raw = await startRawServer((socket) =>
        socket.once('data', () => {
          socket.write('HTTP/1.1 102 Processing\r\nContent-Length: 99999\r\n\r\n');
          socket.write('HTTP/1.1 103 Early Hints\r\nX-Hint: 1\r\n\r\n');
          socket.end(rawResponse);
        }),
      );
      expect(await post({ url: raw.url })).toEqual({
        kind: 'response',
        status: 200,
        headers: { 'content-length': '2', connection: 'close' },
        body: 'ok',
      });
      raw.server.close();
    });

    // undici cannot pass over it; see network-error-reason.ts.
    test('with a 100 Continue that was not requested has failed, and the error says so', async () => {
      const raw = await startRawServer((socket) =>
        socket.once('data', () => socket.end(`HTTP/1.1 100 Continue\r\n\r\n${rawResponse}`)),
      );
      expect(await post({ url: raw.url })).toEqual({
        kind: 'network-error',
        reason: 'the unit sent 100 Continue, which was not asked for: switch that off in its server',
      });
      raw.server.close();
    });
  });

  describe('an abort', () => {
    const aborted = { kind: 'network-error', reason: 'aborted' };

    test('before the call sends nothing', async () => {
      expect(await post({ signal: AbortSignal.abort() })).toEqual(aborted);
      expect(server.acceptedConnections).toBe(0);
    });

    test('ends a call that waits for its response, and its connection', async () => {
      server.answer(() => undefined);
      const controller = new AbortController();
      const call = post({ signal: controller.signal });
      await server.received(1);
      controller.abort();
      expect(await call).toEqual(aborted);
      await server.disconnected();
    });

    test('ends a call in the middle of its body', async () => {
      const controller = new AbortController();
      server.answer((_request, response) => {
        response.write('x', () => controller.abort());
      });
      expect(await post({ signal: controller.signal })).toEqual(aborted);
      await server.disconnected();
    });

    test('ends a call that still waits for a connection, which is then never sent', async () => {
      const own = createTransport({ maxConnectionsPerOrigin: 1 });
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      server.answer(async () => {
        await held;
        return {};
      });
      const first = post({ via: own });
      await server.received(1);
      const controller = new AbortController();
      const second = post({ via: own, signal: controller.signal });
      controller.abort();
      expect(await second).toEqual(aborted);
      release();
      expect(await first).toMatchObject({ kind: 'response' });
      expect(await post({ via: own })).toMatchObject({ kind: 'response' });
      expect(server.requests).toHaveLength(2);
      await own.close();
    });

    test('leaves no listener behind on a signal that outlives many calls', async () => {
      const { signal } = new AbortController();
      let listeners = 0;
      const count = (step: number) => (original: (...args: never[]) => unknown) =>
        function counted(this: unknown, ...args: never[]): unknown {
          listeners += step;
          return original.apply(this, args);
        };
      signal.addEventListener = count(1)(signal.addEventListener.bind(signal) as never) as never;
      signal.removeEventListener = count(-1)(signal.removeEventListener.bind(signal) as never) as never;
      for (let i = 0; i < 3; i += 1) await post({ signal });
      expect(listeners).toBe(0);
    });
  });

  describe('a network error has a short reason', () => {
    test('connection refused', async () => {
      const { port } = server;
      await server.close();
      const url = `http://user:hunter2@127.0.0.1:${port}/unit`;
      expect(await post({ url })).toEqual({ kind: 'network-error', reason: 'connection refused' });
    });

    test('host not found', async () => {
      const response = await post({ url: 'http://user:hunter2@no-such-host.invalid/' });
      expect(response).toMatchObject({ kind: 'network-error' });
      expect((response as { reason: string }).reason).toMatch(/^host not found$|^host name lookup failed$/);
    });

    test('connection closed before a response', async () => {
      const raw = await startRawServer((socket) => socket.once('data', () => socket.end()));
      expect(await post({ url: raw.url })).toEqual({ kind: 'network-error', reason: 'connection closed' });
      raw.server.close();
    });

    test('connection closed in the middle of a body', async () => {
      server.answer((_request, response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('half', () => response.destroy());
      });
      expect(await post()).toEqual({ kind: 'network-error', reason: 'connection closed' });
    });

    test('a response that is not HTTP', async () => {
      const raw = await startRawServer((socket) =>
        socket.once('data', () => socket.end('SSH-2.0-OpenSSH\r\n\r\n')),
      );
      expect(await post({ url: raw.url })).toEqual({ kind: 'network-error', reason: 'response is not HTTP' });
      raw.server.close();
    });

    test('TLS spoken to a server that does not', async () => {
      const url = server.url.replace('http:', 'https:');
      expect(await post({ url })).toEqual({ kind: 'network-error', reason: 'TLS handshake failed' });
    });

    test('a TLS handshake that never ends', async () => {
      const held: Socket[] = [];
      const raw = await startRawServer((socket) => held.push(socket));
      const own = createTransport({ connectTimeoutMs: 10 });
      const response = await post({ via: own, url: raw.url.replace('http:', 'https:') });
      expect(response).toEqual({ kind: 'network-error', reason: 'connection timed out' });
      for (const socket of held) socket.destroy();
      raw.server.close();
      await own.close();
    });

    test.each(['ftp://127.0.0.1/', 'file:///etc/passwd', 'unit', ''])(
      '%j is no address for it',
      async (url) => {
        const reason = 'address is not an http or https URL';
        expect(await post({ url })).toEqual({ kind: 'network-error', reason });
      },
    );

    test('a header that cannot be sent', async () => {
      const response = await post({ headers: { 'transfer-encoding': 'chunked' } });
      expect(response).toEqual({ kind: 'network-error', reason: 'request failed' });
    });
  });

  describe('large responses', () => {
    const LENGTH = 300_000;

    test('wait for one that is complete, and come when its share is released', async () => {
      const largeResponses = new LargeResponses({ maxBytes: 200_000 });
      const own = createTransport({ largeResponses });
      server.answer({ body: 'x'.repeat(LENGTH) });
      const shares: { release(): void }[] = [];
      const holder = { hold: (share: { release(): void }) => void shares.push(share) };
      const call = () => post({ via: own, maxResponseBytes: 1_000_000, holder });
      expect(await call()).toMatchObject({ kind: 'response' });
      let isThere = false;
      const second = call().then((response) => ((isThere = true), response));
      while (!largeResponses.isFull) await new Promise((resolve) => setImmediate(resolve));
      expect([isThere, shares.length]).toEqual([false, 2]);
      shares[0]!.release();
      expect(await second).toMatchObject({ kind: 'response', body: 'x'.repeat(LENGTH) });
      shares[1]!.release();
      expect(largeResponses.heldBytes).toBe(0);
      await own.close();
    });

    test('hold nothing when the call has ended, where nothing takes their share', async () => {
      const largeResponses = new LargeResponses({ maxBytes: 200_000 });
      const own = createTransport({ largeResponses });
      server.answer({ body: 'x'.repeat(LENGTH) });
      const calls = [1, 2, 3].map((n) => post({ via: own, maxResponseBytes: n === 1 ? 200_000 : 1_000_000 }));
      const kinds = (await Promise.all(calls)).map(({ kind }) => kind);
      expect(kinds).toEqual(['too-large', 'response', 'response']);
      expect(largeResponses.heldBytes).toBe(0);
      await own.close();
    });

    test('that wait are an error when their connection is reset, also where it was to be closed', async () => {
      const largeResponses = new LargeResponses({ maxBytes: 1 });
      const own = createTransport({ largeResponses });
      const kept = largeResponses.enter({ pause() {}, resume() {}, giveWay() {} });
      kept.grow(100_000);
      kept.complete();
      const { promise: connected, resolve } = Promise.withResolvers<Socket>();
      const raw = await startRawServer((socket) =>
        socket.once('data', () => {
          socket.write(`HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${'x'.repeat(70_000)}`);
          resolve(socket);
        }),
      );
      const call = post({ via: own, url: raw.url, maxResponseBytes: 1_000_000 });
      const socket = await connected;
      while (!largeResponses.isFull) await new Promise((wait) => setImmediate(wait));
      socket.resetAndDestroy();
      expect(await call).toEqual({ kind: 'network-error', reason: 'connection closed' });
      expect(largeResponses.heldBytes).toBe(100_000);
      await own.close();
      raw.server.close();
    });
  });
});
