import { watch, type Received } from '../support/event-stream.js';
import { startService, type Service } from '../support/service.js';
import { document, gate, mock } from '../support/workflow-documents.js';

let service: Service;
beforeEach(async () => {
  service = await startService();
  await service.register(document('asks', [mock('a', 1), gate('ok')]));
  await service.register(document('quick', [mock('a', 1)]));
});
afterEach(() => service.close());

const types = (events: readonly Received[]) => events.map(({ event }) => event);

describe('GET /runs as a stream', () => {
  it('is a page first, and then each run that has changed, without an id', async () => {
    const first = await service.start('asks');
    const stream = await watch(`${service.url}/runs?workflowId=asks&status=paused`);
    await stream.until((events) => events.length === 1);
    expect(stream.events[0]?.data).toEqual((await service.get('/runs?workflowId=asks&status=paused')).body);
    await service.start('quick');
    const second = await service.start('asks');
    await stream.until((events) => events.length === 2);
    const { items } = (await service.get('/runs?workflowId=asks&status=paused')).body;
    expect(stream.events[1]).toEqual({ id: '', event: 'upsert', data: items[0] });
    await service.post(`/workflows/asks/runs/${first.runId}/hitl`, { approved: true });
    await stream.until((events) => events.length === 3);
    expect(stream.events[2]).toMatchObject({ event: 'remove', data: { runId: first.runId } });
    expect(items[0].runId).toBe(second.runId);
    stream.leave();
  });

  it('is of one workflow at its own address, and begins with a page again for a client that reconnects', async () => {
    const { runId } = await service.start('quick');
    for (const lastId of ['', 'whatever']) {
      const stream = await watch(`${service.url}/workflows/quick/runs`, { lastId });
      await stream.until((events) => events.length > 0);
      stream.leave();
      expect(types(stream.events)).toEqual(['snapshot']);
      expect(stream.events[0]?.data.items).toMatchObject([{ runId }]);
    }
    expect((await watch(`${service.url}/workflows/nobody/runs`)).status).toBe(404);
  });

  it.each(['?cursor=x', '?limit=201', '?status=gone', '?stauts=paused', '?label=x', '?createdAfter=never'])(
    'refuses %s before it begins',
    async (query) => {
      const { status, body } = await service.call('GET', `/runs${query}`, {
        headers: { accept: 'text/event-stream' },
      });
      expect([status, body.code]).toEqual([400, 'invalid-request']);
    },
  );
});

describe('GET /gates as a stream', () => {
  it('shows the gates that open and those that are decided', async () => {
    const stream = await watch(`${service.url}/gates`);
    await stream.until((events) => events.length === 1);
    expect(stream.events[0]).toMatchObject({ event: 'snapshot', data: { items: [], next: null } });
    const { runId } = await service.start('asks');
    await stream.until((events) => events.length === 2);
    const [open] = (await service.get('/gates')).body.items;
    expect(stream.events[1]).toMatchObject({ event: 'upsert', data: open });
    await service.post(`/workflows/asks/runs/${runId}/hitl`, { approved: true });
    await stream.until((events) => events.length === 3);
    expect(stream.events[2]).toMatchObject({ event: 'remove', data: { runId, gateId: open.gateId } });
    stream.leave();
  });

  it('leaves out a payload of more than 4 KiB, which the page of the list has', async () => {
    await service.register(document('large', [gate('big', { payload: '${{ input.text }}' })]));
    const start = (chars: number) =>
      service.start('large', { sync: true, input: { text: 'x'.repeat(chars) } });
    await start(5_000);
    const stream = await watch(`${service.url}/gates?workflowId=large`);
    await stream.until((events) => events.length === 1);
    expect(stream.events[0]?.data.items).toMatchObject([{ payload: null, payloadCut: true }]);
    for (const chars of [4_095, 4_094]) await start(chars);
    await stream.until((events) => events.length === 3);
    stream.leave();
    expect(stream.events[1]?.data).toMatchObject({ payload: null, payloadCut: true });
    expect(stream.events[2]?.data).toMatchObject({ payload: 'x'.repeat(4_094) });
    expect(stream.events[2]?.data).not.toHaveProperty('payloadCut');
    const { items } = (await service.get('/gates?workflowId=large')).body;
    expect(items.map(({ payload }: { payload: string }) => payload.length)).toEqual([4_094, 4_095, 5_000]);
  });

  it('truncates a long description as the page of the list does, on the first page and afterwards', async () => {
    await service.register(
      document('described', [gate('long', { description: '${{ input.description }}' })]),
    );
    const start = (chars: number) =>
      service.start('described', { sync: true, input: { description: 'x'.repeat(chars) } });
    await start(1_001);
    const stream = await watch(`${service.url}/gates?workflowId=described`);
    await stream.until((events) => events.length === 1);
    const cut = { description: 'x'.repeat(1_000), descriptionCut: true };
    expect(stream.events[0]?.data.items).toMatchObject([cut]);
    for (const chars of [5_000, 1_000]) await start(chars);
    await stream.until((events) => events.length === 3);
    stream.leave();
    expect(stream.events[1]?.data).toMatchObject(cut);
    expect(stream.events[2]?.data).toMatchObject({ description: 'x'.repeat(1_000) });
    expect(stream.events[2]?.data).not.toHaveProperty('descriptionCut');
    const { items } = (await service.get('/gates?workflowId=described')).body;
    expect(items.map(({ descriptionCut }: { descriptionCut?: true }) => descriptionCut)).toEqual([
      undefined,
      true,
      true,
    ]);
  });

  it('refuses what the list refuses', async () => {
    for (const query of ['?status=shut', '?cursor=x', '?limit=0']) {
      expect((await watch(`${service.url}/gates${query}`)).status).toBe(400);
    }
  });
});
