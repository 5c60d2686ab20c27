import { connect } from 'node:net';
import { once } from 'node:events';
import { EventSource } from 'eventsource';
import type { Engine } from '../../src/engine/index.js';
import { Engine as EngineToken } from '../../src/engine/index.js';
import { EventStreams } from '../../src/http/event-stream/event-streams.js';
import { watch, type Watched } from '../support/event-stream.js';
import { ADAPTERS, startHostService } from '../support/host.js';
import { eventually } from '../support/eventually.js';
import { startService, type Service } from '../support/service.js';
import { document, gate, mock } from '../support/workflow-documents.js';

let service: Service | undefined;
afterEach(async () => {
  await service?.close();
  service = undefined;
});

async function started(environment: Readonly<Record<string, string>> = {}): Promise<Service> {
  service = await startService(environment);
  await service.register(document('asks', [mock('a', 1), gate('ok')]));
  await service.register(document('quick', [mock('a', 1)]));
  return service;
}

const streamsOf = ({ app }: Service) => app.get(EventStreams, { strict: false });

async function paused(of: Service): Promise<string> {
  const { runId } = await of.start('asks');
  return `/workflows/asks/runs/${runId}`;
}

const hasGate = (events: Watched['events']) => events.some(({ event }) => event === 'gate.opened');

describe('event streams', () => {
  it('are refused beyond the bound, and accepted again when one is closed', async () => {
    const at = await started({ FLOWGATE_SSE_MAX_STREAMS: '2' });
    const run = await paused(at);
    const first = await watch(`${at.url}${run}/events`);
    const second = await watch(`${at.url}/events`);
    const refused = await at.call('GET', `${run}/events`, { headers: { accept: 'text/event-stream' } });
    expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([
      503,
      'streams-full',
      '10',
    ]);
    expect((await at.get(`${run}/events`)).status).toBe(200);
    first.leave();
    await eventually(
      async () => streamsOf(at).count,
      (count) => count === 1,
    );
    const third = await watch(`${at.url}${run}/events`);
    expect(third.status).toBe(200);
    for (const stream of [second, third]) stream.leave();
    await eventually(
      async () => streamsOf(at).count,
      (count) => count === 0,
    );
  });

  it('lose and repeat nothing wherever they are cut, status changes included', async () => {
    const at = await started();
    await at.register(document('between', [mock('a', 1), gate('ok'), mock('b', 2)]));
    const { runId } = await at.start('between', { sync: true });
    const run = `/workflows/between/runs/${runId}`;
    await at.post(`${run}/hitl`, { approved: true });
    const url = `${at.url}${run}/events`;
    const framesAfter = new Map<string, Watched['events']>();
    const after = async (lastId: string): Promise<Watched['events']> => {
      const known = framesAfter.get(lastId);
      if (known !== undefined) return known;
      const stream = await watch(url, { lastId });
      if (stream.status !== 204) await stream.over;
      framesAfter.set(lastId, stream.events);
      return stream.events;
    };
    const whole = await watch(url);
    await whole.over;
    expect(whole.events.filter(({ data }) => data.change !== undefined)).toHaveLength(2);
    const bytes = Buffer.from(whole.text());
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      // A frame is dispatched with the empty line that ends it.
      const frames = bytes.subarray(0, cut).toString().split('\n\n').slice(0, -1);
      const seen = whole.events.slice(0, frames.filter((frame) => /^event: /m.test(frame)).length);
      const rest = await after(seen.findLast(({ id }) => id !== '')?.id ?? '');
      const told = [...seen, ...rest].filter(({ event }) => event !== 'end');
      expect(told).toEqual(whole.events.filter(({ event }) => event !== 'end'));
    }
  });

  it('of all runs lose and repeat nothing wherever they are cut, status changes included', async () => {
    const at = await started();
    await at.register(document('between', [mock('a', 1), gate('ok'), mock('b', 2)]));
    const url = `${at.url}/events`;
    const whole = await watch(url);
    // The first frame names where it begins.
    await eventually(
      async () => whole.lastId(),
      (id) => id !== '',
    );
    const start = Buffer.byteLength(whole.text());
    const { runId } = await at.start('between', { sync: true });
    await at.post(`/workflows/between/runs/${runId}/hitl`, { approved: true });
    const last = await at.start('quick', { sync: true });
    const isAll = (events: Watched['events']) =>
      events.some(({ event, data }) => event === 'run.completed' && data.runId === last.runId);
    await whole.until(isAll);
    whole.leave();
    expect(whole.events.flatMap(({ data }) => data.change?.type ?? [])).toEqual([
      'run.paused',
      'run.resumed',
    ]);
    const framesAfter = new Map<string, Watched['events']>();
    const after = async (lastId: string): Promise<Watched['events']> => {
      const known = framesAfter.get(lastId);
      if (known !== undefined) return known;
      const stream = await watch(url, { lastId });
      await stream.until(isAll);
      stream.leave();
      framesAfter.set(lastId, stream.events);
      return stream.events;
    };
    const bytes = Buffer.from(whole.text());
    for (let cut = start; cut < bytes.length; cut += 1) {
      const frames = bytes.subarray(0, cut).toString().split('\n\n').slice(0, -1);
      const seen = whole.events.slice(0, frames.filter((frame) => /^event: /m.test(frame)).length);
      const ids = frames.flatMap((frame) => /^id: (.*)$/m.exec(frame)?.[1] ?? []);
      expect([...seen, ...(await after(ids.at(-1) ?? ''))]).toEqual(whole.events);
    }
  });

  it('do not keep the service from closing', async () => {
    const at = await started({ FLOWGATE_SHUTDOWN_GRACE_MS: '0' });
    const run = await paused(at);
    const streams = [await watch(`${at.url}${run}/events`), await watch(`${at.url}/events`)];
    await streams[0]?.until(hasGate);
    await at.close();
    service = undefined;
    for (const stream of streams) {
      await stream.over;
      expect(stream.events.some(({ event }) => event === 'end')).toBe(false);
    }
  });

  it('send pings while there are no events', async () => {
    const at = await started({ FLOWGATE_SSE_PING_MS: '100' });
    const stream = await watch(`${at.url}${await paused(at)}/events`);
    await eventually(
      async () => stream.text(),
      (text) => text.split(': ping\n\n').length > 3,
    );
    stream.leave();
  });

  it('are disconnected where the client reads nothing, and leave no resources', async () => {
    const at = await started({ FLOWGATE_SSE_STALLED_MS: '200' });
    // More than fits into the buffers of the system.
    const large = Object.fromEntries(Array.from({ length: 4 }, (_, n) => [`k${n}`, 'x'.repeat(1_000)]));
    const flow = { type: 'foreach', items: 'input.items', do: 'say', maxConcurrency: 50 };
    await at.register(document('large', [mock('say', large)], { flow }));
    const input = { items: Array.from({ length: 3_000 }, () => 0) };
    const { runId } = await at.start('large', { input, sync: true });
    const path = `/workflows/large/runs/${runId}/events`;
    const socket = connect(Number(new URL(at.url).port), '127.0.0.1');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.pause();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n`);
    await eventually(
      async () => streamsOf(at).count,
      (count) => count > 0,
    );
    await eventually(
      async () => streamsOf(at).count,
      (count) => count === 0,
    );
    socket.resume();
    await closed;
  });

  it('leave nothing waiting when their clients leave', async () => {
    const at = await started();
    const run = await paused(at);
    const engine: Engine = at.app.get(EngineToken);
    const streams = await Promise.all(Array.from({ length: 50 }, () => watch(`${at.url}${run}/events`)));
    await Promise.all(streams.map((stream) => stream.until(hasGate)));
    for (const stream of streams) stream.leave();
    await eventually(
      async () => streamsOf(at).count,
      (count) => count === 0,
    );
    expect(engine.isClosing).toBe(false);
  });
});

describe.each(ADAPTERS)('in a host on %s', (adapter) => {
  it('a stream reports what the run does, keeps the headers of the host, and ends with it', async () => {
    service = await startHostService({
      adapter,
      setUp: (app) => void app.enableCors({ origin: 'https://page.example' }),
    });
    await service.register(document('asks', [mock('a', 1), gate('ok')]));
    const run = await paused(service);
    const stream = await watch(`${service.url}${run}/events`, {
      headers: { origin: 'https://page.example' },
    });
    expect(stream.headers).toMatchObject({
      'content-type': expect.stringMatching(/^text\/event-stream/),
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'access-control-allow-origin': 'https://page.example',
    });
    await stream.until(hasGate);
    await service.post(`${run}/hitl`, { approved: true });
    await stream.over;
    expect(stream.events.at(-1)).toMatchObject({ event: 'end', data: { status: 'completed' } });
    const last = stream.events.at(-2);
    expect((await watch(`${service.url}${run}/events`, { lastId: last?.id ?? '' })).status).toBe(204);
    expect((await watch(`${service.url}${run}/events`, { lastId: 'x' })).status).toBe(400);
  });

  it('a stream leaves no resources when its client leaves, and does not keep the host from closing when it is open', async () => {
    service = await startHostService({ adapter });
    await service.register(document('asks', [mock('a', 1), gate('ok')]));
    const run = await paused(service);
    const streams = service.app.get(EventStreams, { strict: false });
    const left = await watch(`${service.url}${run}/events`);
    await left.until(hasGate);
    expect(streams.count).toBe(1);
    left.leave();
    await eventually(
      async () => streams.count,
      (count) => count === 0,
    );
    const stays = await watch(`${service.url}/events`);
    await service.close();
    service = undefined;
    await stays.over;
  });
});

describe('a generic client (eventsource)', () => {
  it('reconnects where it was disconnected, and not once the run is over', async () => {
    const at = await started();
    const run = await paused(at);
    let requests = 0;
    const seen: string[] = [];
    const source = new EventSource(`${at.url}${run}/events`, {
      fetch: (url, init) => {
        requests += 1;
        return fetch(url, init);
      },
    });
    for (const type of [
      'run.started',
      'unit.finished',
      'gate.opened',
      'gate.decided',
      'run.completed',
      'end',
    ]) {
      source.addEventListener(type, ({ data }) =>
        seen.push(`${type} ${JSON.parse(data as string).seq ?? ''}`),
      );
    }
    await eventually(
      async () => seen,
      () => seen.some((one) => one.startsWith('gate.opened')),
    );
    // The connection is cut, as a proxy in between may do.
    for (const stream of streamsOf(at)['open']) stream.destroy();
    await eventually(
      async () => streamsOf(at).count,
      (count) => count === 0,
    );
    await at.post(`${run}/hitl`, { approved: true });
    await eventually(
      async () => seen,
      () => seen.some((one) => one.startsWith('end')),
    );
    await eventually(
      async () => source.readyState,
      (state) => state === EventSource.CLOSED,
    );
    expect(seen.map((one) => one.split(' ')[0])).toEqual([
      'run.started',
      'unit.finished',
      'gate.opened',
      'gate.decided',
      'run.completed',
      'end',
    ]);
    expect(requests).toBe(3);
  });
});
