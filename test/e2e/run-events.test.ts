import type { PublicEvent, RunRecord } from '../../src/engine/index.js';
import { watch } from '../support/event-stream.js';
import { startService, type Service } from '../support/service.js';
import { document, gate, mock } from '../support/workflow-documents.js';

const LARGE = 'x'.repeat(5_000);

let service: Service;
let run: RunRecord;
let path: string;

beforeAll(async () => {
  service = await startService();
  await service.register(document('read', [mock('a', 1), mock('b', { text: LARGE, small: 2 })]));
  await service.register(document('asks', [mock('a', 1), gate('ok', { title: 'Go on?' }), mock('b', 2)]));
  await service.register(document('other', [mock('a', 1)]));
  run = await service.start('read', { input: { x: 'y' }, sync: true });
  path = `/workflows/read/runs/${run.runId}/events`;
});
afterAll(() => service.close());

const typesOf = (items: readonly PublicEvent[]) => items.map(({ type }) => type);

describe('GET …/events', () => {
  it('returns what the run did, oldest first', async () => {
    const { status, body } = await service.get(path);
    expect([status, body.next]).toEqual([200, null]);
    expect(typesOf(body.items)).toEqual([
      'run.started',
      'unit.scheduled',
      'unit.finished',
      'unit.scheduled',
      'unit.finished',
      'run.completed',
    ]);
    expect(body.items[0]).toEqual({
      runId: run.runId,
      workflowId: 'read',
      seq: 1,
      at: run.createdAt,
      type: 'run.started',
      data: {
        input: { x: 'y' },
        labels: {},
        origin: 'client',
        by: { id: 'user', via: 'http', auth: 'none' },
        definitionHash: expect.stringMatching(/^[0-9a-f]+$/),
        parentRunId: null,
      },
    });
  });

  it('leaves values above 4 KiB out, and says which; the single event has them', async () => {
    const { items } = (await service.get(path)).body;
    const event = items[4];
    expect(event.data.output).toEqual({ small: 2 });
    const bytes = JSON.stringify(LARGE).length;
    expect(event.cut).toEqual([
      { pointer: '/output/text', bytes, head: JSON.stringify(LARGE).slice(0, 256) },
    ]);
    const { status, body } = await service.get(`${path}/${event.seq}`);
    expect([status, body.data.output, body.cut]).toEqual([200, { text: LARGE, small: 2 }, undefined]);
  });

  it('comes in pages that follow one another, and from the end', async () => {
    const all = (await service.get(path)).body.items;
    const collected: unknown[] = [];
    for (let next: number | null = 0; next !== null;) {
      const { body } = await service.get(`${path}?afterSeq=${next}&limit=2`);
      expect(body.items.length).toBeLessThanOrEqual(2);
      collected.push(...body.items);
      next = body.next;
    }
    expect(collected).toEqual(all);
    expect((await service.get(`${path}?tail=2`)).body).toEqual({ items: all.slice(-2), next: null });
    expect((await service.get(`${path}?tail=1000`)).body).toEqual({ items: all, next: null });
  });

  it('returns the events of the log itself, with their locations', async () => {
    const { items } = (await service.get(`${path}?view=log`)).body;
    expect(items.map(({ seq }: PublicEvent) => seq)).toEqual(items.map((_: unknown, i: number) => i + 1));
    expect(items[1]).toMatchObject({
      type: 'unit-scheduled',
      scope: '',
      path: expect.stringMatching(/^\/spec/),
    });
    expect(JSON.stringify(items)).not.toContain('settings');
  });

  it.each([
    ['?limit=0', 'limit must be a whole number from 1 to 1000'],
    ['?limit=x', 'limit must be'],
    ['?afterSeq=-1', 'afterSeq must be a whole number of at least 0'],
    ['?afterSeq=99999999999999999999', 'afterSeq must be'],
    ['?afterSeq=1&afterSeq=2', 'more than once'],
    ['?tail=0', 'tail must be'],
    ['?tail=5&limit=2', 'tail stands for itself'],
    ['?view=raw', 'view must be one of public, log'],
    ['?limt=3', 'did you mean limit?'],
    ['?x=%zz', 'malformed percent escape'],
  ])('refuses %s in words', async (query, words) => {
    const { status, body } = await service.get(`${path}${query}`);
    expect([status, body]).toEqual([400, expect.objectContaining({ error: expect.stringContaining(words) })]);
  });

  it.each([
    ['an unknown run', '/workflows/read/runs/nobody/events'],
    ['an event of an unknown run', '/workflows/read/runs/nobody/events/1'],
  ])('is 404 for %s', async (_name, address) => {
    const { status, body } = await service.get(address);
    expect([status, body.code]).toEqual([404, 'unknown-run']);
  });

  it('is 404 for another workflow’s run, also as a stream', async () => {
    const address = `/workflows/other/runs/${run.runId}/events`;
    expect((await service.get(address)).status).toBe(404);
    const stream = await watch(`${service.url}${address}`);
    expect(stream.status).toBe(404);
  });

  it.each(['0', '9999', 'x', '-1', '1e3', '%00'])(
    'is 404 for the event %s, which does not exist',
    async (seq) => {
      const { status, body } = await service.get(`${path}/${seq}`);
      expect([status, body.code]).toEqual([404, 'not-found']);
    },
  );
});

describe('GET …/events as a stream', () => {
  it('reports everything of a run that is over, says so and ends', async () => {
    const stream = await watch(`${service.url}${path}`);
    await stream.over;
    expect(stream.status).toBe(200);
    expect(stream.headers).toMatchObject({
      'content-type': expect.stringMatching(/^text\/event-stream/),
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    const { items } = (await service.get(path)).body;
    expect(stream.text()).toMatch(/^retry: 2000\n\n/);
    expect(stream.events.slice(0, -1)).toEqual(
      items.map((event: PublicEvent) => ({ id: String(event.seq), event: event.type, data: event })),
    );
    expect(stream.events.at(-1)).toMatchObject({ event: 'end', data: { status: 'completed' } });
  });

  it('reports what a run does as it does it, also past a pause', async () => {
    const { runId } = await service.start('asks');
    const address = `/workflows/asks/runs/${runId}`;
    const stream = await watch(`${service.url}${address}/events`);
    await stream.until((events) => events.some(({ event }) => event === 'gate.opened'));
    const opened = stream.events.find(({ event }) => event === 'gate.opened');
    expect(opened?.data.data).toMatchObject({ gateId: opened?.data.seq, unitId: 'ok', title: 'Go on?' });
    await service.post(`${address}/hitl`, { approved: true, responder: 'ann' });
    await stream.over;
    expect(stream.events.map(({ event }) => event).slice(-5)).toEqual([
      'gate.decided',
      'unit.scheduled',
      'unit.finished',
      'run.completed',
      'end',
    ]);
  });

  it('continues after what was seen: the header takes precedence over the query', async () => {
    const { items } = (await service.get(path)).body;
    const byQuery = await watch(`${service.url}${path}?afterSeq=${items[2].seq}`);
    await byQuery.over;
    expect(byQuery.events.slice(0, -1).map(({ data }) => data)).toEqual(items.slice(3));
    const byHeader = await watch(`${service.url}${path}?afterSeq=1`, { lastId: String(items[3].seq) });
    await byHeader.over;
    expect(byHeader.events.slice(0, -1).map(({ data }) => data)).toEqual(items.slice(4));
  });

  it('is 204 where nothing is left, so that the client does not reconnect', async () => {
    const { items } = (await service.get(path)).body;
    const stream = await watch(`${service.url}${path}`, { lastId: String(items.at(-1).seq) });
    await stream.over;
    expect([stream.status, stream.text()]).toEqual([204, '']);
  });

  it.each([['999'], ['x'], ['-1'], ['1.5'], ['9'.repeat(30)], ['9'.repeat(300)]])(
    'refuses the Last-Event-ID %s, which is not in the log',
    async (lastId) => {
      const stream = await watch(`${service.url}${path}`, { lastId });
      expect(stream.status).toBe(400);
    },
  );

  it('has no pages', async () => {
    expect((await watch(`${service.url}${path}?limit=5`)).status).toBe(400);
    expect((await watch(`${service.url}${path}?tail=5`)).status).toBe(400);
  });

  it.each([
    ['*/*', 'application/json'],
    ['application/json, text/event-stream;q=0.5', 'application/json'],
    ['text/event-stream;q=0', 'application/json'],
    ['text/event-stream, application/json;q=0.5', 'text/event-stream'],
    ['TEXT/EVENT-STREAM', 'text/event-stream'],
  ])('a client that accepts %s gets %s', async (accept, type) => {
    const stream = await watch(`${service.url}${path}`, { headers: { accept } });
    expect(stream.headers['content-type']).toMatch(type);
    await stream.over;
  });

  it('cannot be requested by HEAD', async () => {
    const { status } = await service.call('HEAD', path, { headers: { accept: 'text/event-stream' } });
    expect(status).toBe(405);
    expect((await service.call('HEAD', path)).status).toBe(200);
  });
});

describe('GET /events', () => {
  it('reports what all runs do from now on, and continues after any of it', async () => {
    const stream = await watch(`${service.url}/events`);
    const first = await service.start('other');
    await stream.until((events) => events.some(({ event }) => event === 'run.completed'));
    const told = (await service.get(`/workflows/other/runs/${first.runId}/events`)).body.items;
    expect(stream.events.map(({ data }) => data)).toEqual(told);
    stream.leave();
    const second = await service.start('other');
    const from = stream.events[1];
    const again = await watch(`${service.url}/events`, { lastId: from?.id ?? '' });
    await again.until((events) => events.filter(({ event }) => event === 'run.completed').length === 2);
    again.leave();
    const toldOfSecond = (await service.get(`/workflows/other/runs/${second.runId}/events`)).body.items;
    expect(again.events.map(({ data }) => data)).toEqual([...told.slice(2), ...toldOfSecond]);
  });

  it('misses nothing of what happens before its first event, when it is disconnected', async () => {
    const stream = await watch(`${service.url}/events`);
    await new Promise<void>((resolve) => {
      const look = (): void => (stream.lastId() === '' ? void setImmediate(look) : resolve());
      look();
    });
    stream.leave();
    const { runId } = await service.start('other');
    const again = await watch(`${service.url}/events`, { lastId: stream.lastId() });
    await again.until((events) => events.some(({ event }) => event === 'run.completed'));
    again.leave();
    expect(again.events[0]?.data).toMatchObject({ runId, type: 'run.started' });
  });

  it.each([
    ['nothing of ours', 'x'],
    ['a cursor that does not exist yet', Buffer.from('99999999.1').toString('base64url')],
    ['a cursor written otherwise', Buffer.from('01.1').toString('base64url')],
  ])('begins again, and says so, after %s', async (_name, lastId) => {
    const stream = await watch(`${service.url}/events`, { lastId });
    await stream.until((events) => events.length > 0);
    expect(stream.events[0]?.event).toBe('reset');
    const { runId } = await service.start('other');
    await stream.until((events) => events.length > 1);
    stream.leave();
    expect(stream.events[1]?.data).toMatchObject({ runId, seq: 1 });
  });

  it('is a stream and nothing else', async () => {
    const { status, body } = await service.get('/events');
    expect([status, body.error]).toEqual([400, expect.stringContaining('text/event-stream')]);
  });
});
