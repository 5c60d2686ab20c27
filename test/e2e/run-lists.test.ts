import { startService, type Answer, type Service } from '../support/service.js';
import { document, gate, mock } from '../support/workflow-documents.js';

let service: Service;
/** The id of each run, by its name in this test. */
const ids: Record<string, string> = {};

beforeAll(async () => {
  service = await startService();
  await service.register(document('plain', [mock('a')]));
  await service.register(document('asks', [gate('sign', { description: 'Look well', payload: { sum: 7 } })]));
  await service.register(
    document('fails', [{ id: 'no', uses: 'builtin.fail', config: { message: 'No luck' } }]),
  );
  await service.register(document('child', [gate('below')]));
  await service.register(
    document('parent', [{ id: 'down', uses: 'builtin.workflow', config: { workflowId: 'child' } }]),
  );
  await service.register(
    document('waits', [{ id: 'nap', uses: 'builtin.wait', config: { durationMs: 36_000_000 } }]),
  );
  const start = async (name: string, workflowId: string, body: object = {}): Promise<void> => {
    ids[name] = (await service.start(workflowId, { sync: true, ...body })).runId;
    // Runs of one millisecond are in no order.
    for (const now = Date.now(); Date.now() === now;) await new Promise((resolve) => setImmediate(resolve));
  };
  await start('one', 'plain', { labels: { team: 'blue', ticket: 'a:b' } });
  await start('two', 'plain', { labels: { team: 'red' } });
  await start('failed', 'fails');
  await start('asking', 'asks', { labels: { team: 'blue' } });
  await start('cancelled', 'asks');
  await service.post(`/workflows/asks/runs/${ids['cancelled']}/cancel`, {});
  await start('above', 'parent');
  await start('waiting', 'waits', { sync: false });
});
afterAll(() => service.close());

const namesIn = ({ body, status }: Answer): readonly string[] => {
  expect([status, body]).toEqual([200, { items: expect.any(Array), next: null }]);
  return body.items.map(
    ({ runId }: { runId: string }) => Object.keys(ids).find((name) => ids[name] === runId) ?? 'child',
  );
};

describe('GET /runs', () => {
  it('lists all runs, newest first', async () => {
    const names = namesIn(await service.get('/runs'));
    // A child that begins within the millisecond of its parent may come before or after it.
    expect([names[0], ...names.slice(1, 3).toSorted(), ...names.slice(3)]).toEqual([
      'waiting',
      'above',
      'child',
      'cancelled',
      'asking',
      'failed',
      'two',
      'one',
    ]);
  });

  it('says of each what lists show, without reading its state', async () => {
    const { items } = (await service.get('/runs')).body;
    const of = (name: string) => items.find(({ runId }: { runId: string }) => runId === ids[name]);
    expect(of('one')).toEqual({
      runId: ids['one'],
      workflowId: 'plain',
      status: 'completed',
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
      endedAt: expect.any(Number),
      duration: expect.any(Number),
      tokenUsage: 0,
      cost: 0,
      labels: { team: 'blue', ticket: 'a:b' },
      origin: 'client',
      forkedFrom: null,
      parentRunId: null,
      definitionHash: expect.stringMatching(/^[0-9a-f]+$/),
      cancelled: false,
      error: null,
      compensation: null,
      waitingFor: null,
      openGates: [],
    });
    expect(of('failed')).toMatchObject({ error: expect.stringContaining('No luck'), cancelled: false });
    expect(of('cancelled')).toMatchObject({ error: 'Cancelled by user', cancelled: true, openGates: [] });
    expect(of('asking')).toMatchObject({
      status: 'paused',
      waitingFor: 'gate',
      openGates: [{ gateId: expect.any(Number), unitId: 'sign', title: 'May sign pass?' }],
    });
    expect(of('above')).toMatchObject({ status: 'paused', waitingFor: 'child' });
    expect(of('waiting')).toMatchObject({ status: 'running', waitingFor: 'time', endedAt: null });
    expect(items.slice(1, 3)).toContainEqual(
      expect.objectContaining({
        origin: 'child',
        parentRunId: ids['above'],
        workflowId: 'child',
        waitingFor: 'gate',
      }),
    );
  });

  it.each([
    ['workflowId=plain', ['two', 'one']],
    ['status=failed', ['cancelled', 'failed']],
    ['status=running,completed', ['waiting', 'two', 'one']],
    ['label=team:blue', ['asking', 'one']],
    ['label=team:blue&label=ticket:a:b', ['one']],
    ['label=team:blue&label=team:blue', ['asking', 'one']],
    ['label=team:', []],
    ['openGate=true', ['child', 'asking']],
    ['gateUnit=sign', ['asking']],
    ['cancelled=true', ['cancelled']],
    ['cancelled=false&status=failed', ['failed']],
    ['origin=child', ['child']],
    ['forkedFrom=nobody', []],
    ['parent=nobody', []],
    ['createdAfter=2020-01-01T00:00:00Z&workflowId=plain', ['two', 'one']],
    ['createdAfter=2020-01-01T00:00:00+02:00&workflowId=waits', ['waiting']],
    ['createdBefore=2020-01-01T00:00:00.5Z', []],
    ['createdBefore=1', []],
    ['other=parameters&are=ignored&workflowId=fails', ['failed']],
  ])('finds by %s', async (query, names) => {
    expect(namesIn(await service.get(`/runs?${query}`))).toEqual(names);
  });

  it('finds the children of a run, and no further pages of them with the cursor of another list', async () => {
    expect(namesIn(await service.get(`/runs?parent=${ids['above']}`))).toEqual(['child']);
    expect(namesIn(await service.get(`/runs?parent=${ids['child']}`))).toEqual([]);
    const { next } = (await service.get('/runs?limit=1')).body;
    const other = await service.get(`/runs?parent=${ids['above']}&cursor=${next}`);
    expect([other.status, other.body.error]).toEqual([
      400,
      expect.stringContaining('cursor is not of this list'),
    ]);
  });

  it('finds by the beginning of an id, and by a definition', async () => {
    expect(namesIn(await service.get(`/runs?id=${ids['two']}`))).toEqual(['two']);
    const [{ definitionHash }] = (await service.get(`/runs?id=${ids['two']}`)).body.items;
    expect(namesIn(await service.get(`/runs?definitionHash=${definitionHash}`))).toEqual(['two', 'one']);
  });

  it('comes in pages that follow one another', async () => {
    const seen: string[] = [];
    let query = '?limit=3';
    while (query !== '') {
      const { body } = await service.get(`/runs${query}`);
      expect(body.items.length).toBeLessThanOrEqual(3);
      seen.push(...body.items.map(({ runId }: { runId: string }) => runId));
      query = body.next === null ? '' : `?limit=3&cursor=${body.next}`;
    }
    expect(seen).toEqual(
      (await service.get('/runs')).body.items.map(({ runId }: { runId: string }) => runId),
    );
  });

  it.each([
    ['limit=0', 'limit must be a whole number from 1 to 200'],
    ['limit=x', 'limit must be a whole number from 1 to 200'],
    ['limit=1&limit=2', 'limit is given more than once'],
    ['status=', 'status must be one or more of'],
    ['status=running,', 'status must be one or more of'],
    ['openGate=1', 'openGate must be true or false'],
    ['label=:x', 'label must be a name and a value'],
    ['label=a:1&label=b:2&label=c:3&label=d:4', 'label is given more than 3 times'],
    ['label=a:1&label=a:2', 'label names two values of one label'],
    ['createdAfter=2026-02-30T00:00:00Z', 'createdAfter must be an instant'],
    ['createdBefore=2026-01-01', 'createdBefore must be an instant'],
    ['createdBefore=-1', 'createdBefore must be an instant'],
    ['id=', 'id must be a text of 1 to 256 characters'],
    [`gateUnit=${'x'.repeat(257)}`, 'gateUnit must be a text of 1 to 256 characters'],
    ['workflowID=a', 'workflowID is no parameter here: did you mean workflowId?'],
    ['workflow=a', 'workflow is no parameter here: did you mean workflowId?'],
    ['q=%zz', 'malformed percent escape'],
    ['cursor=', 'cursor is not of this list'],
    [`cursor=${'a'.repeat(10_000)}`, 'cursor is not of this list'],
  ])('refuses %#', async (query, message) => {
    const { status, body } = await service.get(`/runs?${query}`);
    expect([status, body.code, body.error]).toEqual([
      400,
      'invalid-request',
      expect.stringContaining(message),
    ]);
  });

  it('accepts no cursor of another filter, of another list, or one that was changed', async () => {
    const { next } = (await service.get('/runs?limit=1')).body;
    const parts = JSON.parse(Buffer.from(next, 'base64url').toString());
    const changed = Buffer.from(JSON.stringify([parts[0], 'x', parts[2]])).toString('base64url');
    for (const address of [
      `/runs?limit=1&workflowId=plain&cursor=${next}`,
      `/workflows/plain/runs?cursor=${next}`,
      `/gates?cursor=${next}`,
      `/runs?cursor=${next}=`,
      `/runs?cursor=${changed}`,
    ]) {
      const { status, body } = await service.get(address);
      expect([address, status, body.error]).toEqual([
        address,
        400,
        expect.stringContaining('cursor is not of this list'),
      ]);
    }
    expect((await service.get(`/runs?limit=2&cursor=${next}`)).status).toBe(200);
  });
});

describe('GET a workflow’s runs', () => {
  it('are those of the workflow, filtered as all runs are', async () => {
    expect(namesIn(await service.get('/workflows/plain/runs'))).toEqual(['two', 'one']);
    expect(namesIn(await service.get('/workflows/plain/runs?label=team:red'))).toEqual(['two']);
  });

  it('are 404 for an unknown workflow', async () => {
    const { status, body } = await service.get('/workflows/nobody/runs');
    expect([status, body]).toEqual([404, { error: 'Unknown workflow: nobody', code: 'unknown-workflow' }]);
  });

  it('are none for a workflow without runs', async () => {
    await service.register(document('idle', [mock('a')]));
    expect(namesIn(await service.get('/workflows/idle/runs'))).toEqual([]);
  });
});

describe('POST a run with labels', () => {
  it.each([
    [{ Team: 'x' }, 'The label "Team" cannot be used'],
    [{ team: 7 }, 'The label team must be a text of at most 256 characters'],
    [{ team: 'x'.repeat(257) }, 'The label team must be a text'],
    [[], 'labels must be an object'],
    ['x', 'labels must be an object'],
    [Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`l${n}`, ''])), 'at most 32 labels'],
  ])('refuses %#', async (labels, message) => {
    const { status, body } = await service.post('/workflows/plain/runs', { labels });
    expect([status, body.error]).toEqual([400, expect.stringContaining(message)]);
  });
});

describe('GET /gates', () => {
  it('lists those that wait, newest first, and how many there are', async () => {
    const { status, body } = await service.get('/gates');
    expect(status).toBe(200);
    expect(body).toMatchObject({ next: null, open: 2 });
    expect(body.items.map(({ unitId }: { unitId: string }) => unitId)).toEqual(['below', 'sign']);
    expect(body.items[1]).toEqual({
      gateId: expect.any(Number),
      runId: ids['asking'],
      workflowId: 'asks',
      definitionHash: expect.any(String),
      unitId: 'sign',
      path: expect.stringMatching(/^\/spec\/flow/),
      title: 'May sign pass?',
      description: 'Look well',
      payload: { sum: 7 },
      onReject: 'fail',
      openedAt: expect.any(Number),
    });
  });

  it('lists those of a workflow, page by page', async () => {
    expect((await service.get('/gates?workflowId=asks')).body).toMatchObject({ open: 1, items: [{}] });
    const first = (await service.get('/gates?limit=1')).body;
    const second = (await service.get(`/gates?limit=1&cursor=${first.next}`)).body;
    expect([first.items[0].unitId, second.items[0].unitId, second.next]).toEqual(['below', 'sign', null]);
  });

  it('lists decided ones with their decision', async () => {
    const { runId } = await service.start('asks');
    await service.post(`/workflows/asks/runs/${runId}/hitl`, {
      approved: false,
      responder: 'ann',
      comment: 'too much',
    });
    const { body } = await service.get('/gates?status=decided');
    expect(body).toMatchObject({
      open: 2,
      next: null,
      items: [
        {
          runId,
          unitId: 'sign',
          title: 'May sign pass?',
          decision: {
            approved: false,
            responder: 'ann',
            decidedAt: expect.any(Number),
            comment: 'too much',
          },
        },
      ],
    });
  });

  it('leaves a large payload out', async () => {
    await service.register(document('large', [gate('big', { payload: 'x'.repeat(70_000) })]));
    await service.start('large');
    const { items } = (await service.get('/gates?workflowId=large')).body;
    expect(items).toMatchObject([{ unitId: 'big', payload: null, payloadCut: true }]);
  });

  it('truncates a long title, at no half of a character, as lists of runs do', async () => {
    const title = `${'x'.repeat(199)}😀${'y'.repeat(9_000)}`;
    await service.register(document('titled', [gate('long', { title: '${{ input.title }}' })]));
    const { runId } = await service.start('titled', { sync: true, input: { title } });
    const cut = { title: 'x'.repeat(199), titleCut: true };
    expect((await service.get('/gates?workflowId=titled')).body.items).toMatchObject([cut]);
    const [run] = (await service.get('/runs?workflowId=titled')).body.items;
    expect(run.openGates).toMatchObject([cut]);
    const { messages } = (await service.get(`/workflows/titled/runs/${runId}/messages`)).body;
    expect(JSON.stringify(messages)).toContain(title);
    const whole = await service.start('titled', { sync: true, input: { title: 'x'.repeat(200) } });
    const [item] = (await service.get(`/runs?id=${whole.runId}`)).body.items;
    expect(item.openGates[0].title).toBe('x'.repeat(200));
    expect(item.openGates[0]).not.toHaveProperty('titleCut');
  });

  it('truncates a long description, at no half of a character; the event that opened the gate has it whole', async () => {
    const description = `${'x'.repeat(999)}😀${'y'.repeat(9_000)}`;
    await service.register(
      document('described', [gate('long', { description: '${{ input.description }}' })]),
    );
    const { runId } = await service.start('described', { sync: true, input: { description } });
    const cut = { description: 'x'.repeat(999), descriptionCut: true };
    const { items } = (await service.get('/gates?workflowId=described')).body;
    expect(items).toMatchObject([cut]);
    const opened = await service.get(`/workflows/described/runs/${runId}/events/${items[0].gateId}`);
    expect(opened.body).toMatchObject({ type: 'gate.opened', data: { description } });
    await service.start('described', { sync: true, input: { description: 'x'.repeat(1_000) } });
    const [item] = (await service.get('/gates?workflowId=described&limit=1')).body.items;
    expect(item.description).toBe('x'.repeat(1_000));
    expect(item).not.toHaveProperty('descriptionCut');
  });

  it.each([
    [`workflowId=${'x'.repeat(257)}`, 'workflowId must be a text of 1 to 256 characters'],
    ['Status=open', 'Status is no parameter here: did you mean status?'],
  ])('refuses %#', async (query, message) => {
    const { status, body } = await service.get(`/gates?${query}`);
    expect([status, body.error]).toEqual([400, expect.stringContaining(message)]);
  });
});
