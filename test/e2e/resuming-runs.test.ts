import { eventually } from '../support/eventually.js';
import { startService, type Service } from '../support/service.js';
import { startUnitServer, type UnitServer } from '../support/unit-server.js';
import { bound, document, gate, mock, remote } from '../support/workflow-documents.js';

let service: Service;
let unit: UnitServer;

beforeAll(async () => {
  service = await startService();
  unit = await startUnitServer();
  await service.register(
    document('pausing', [mock('a', 1), mock('b', 2, { pause: 'before' }), mock('c', 3)]),
  );
  await service.register(document('pausing-after', [mock('a', 1, { pause: 'after' }), mock('b', 2)]));
  await service.register(document('all-skipped', [mock('a', 1, { if: 'false' })]));
  await service.register(document('gate-first', [gate('agree')]));
  await service.register(document('pause-first', [mock('a', 1, { pause: 'before' })]));
  const retry = { policyOverrides: { retry: { maxAttempts: 1 } } };
  await service.register(document('shaky', [mock('a', 1), remote('b', retry)]), bound('b', unit.url));
  await service.register(document('remote-first', [remote('b', retry)]), bound('b', unit.url));
  const pausing = remote('b', { ...retry, pause: 'after' });
  await service.register(document('remote-then-pause', [pausing]), bound('b', unit.url));
});
afterAll(async () => {
  await service.close();
  await unit.close();
});

const resume = (run: { workflowId: string; runId: string }, body?: unknown) =>
  service.post(`/workflows/${run.workflowId}/runs/${run.runId}/resume`, body);

describe('resuming a paused run', () => {
  it('that paused after a unit continues after it', async () => {
    const paused = await service.start('pausing-after');
    expect([paused.status, paused.result?.completedUnits]).toEqual(['paused', ['a']]);
    expect((await resume(paused)).body.result.state).toEqual({ 'output.a': 1, 'output.b': 2 });
  });
});

describe('resuming from a snapshot', () => {
  it('beyond the end: 500, and the record is untouched', async () => {
    const paused = await service.start('pausing');
    const { status, body } = await resume(paused, { snapshotId: `${paused.runId}.9999` });
    expect([status, body]).toEqual([
      500,
      { error: `No checkpoint found for run: ${paused.runId}`, code: 'no-checkpoint' },
    ]);
    expect(await service.run(paused)).toEqual(paused);
  });
});

describe('resuming a run without a checkpoint', () => {
  const refusal = (runId: string) => ({
    error: `No checkpoint found for run: ${runId}`,
    code: 'no-checkpoint',
    detail: expect.stringMatching(/nothing .*start/i),
  });

  it('that failed at its first unit: 500, says that it can be started again, and the record is untouched', async () => {
    unit.answer({ status: 400, body: 'bad' });
    const failed = await service.start('remote-first');
    expect(failed.status).toBe('failed');
    unit.answer({ body: { content: 'up' } });
    for (const given of [undefined, { snapshotId: null }, { snapshotId: `${failed.runId}.1` }]) {
      const { status, body } = await resume(failed, given);
      expect([status, body]).toEqual([500, refusal(failed.runId)]);
    }
    expect(await service.run(failed)).toEqual(failed);
    expect((await service.start('remote-first')).status).toBe('completed');
  });

  it('that is still in its first unit: 500, and the run continues', async () => {
    let answer: (reply: { body: unknown }) => void = () => undefined;
    const asked = unit.requests.length + 1;
    unit.answer(() => new Promise((resolve) => (answer = resolve)));
    const running = await service.start('remote-first', {});
    await unit.received(asked);
    const { status, body } = await resume(running);
    expect([status, body]).toEqual([500, refusal(running.runId)]);
    answer({ body: { content: 'late' } });
    const ended = await eventually(
      () => service.run(running),
      (record) => record.status !== 'running',
    );
    expect(ended).toMatchObject({ status: 'completed', result: { state: { 'output.b': 'late' } } });
  });

  it('that completed because every unit was skipped: 500, and the record is untouched', async () => {
    const skipped = await service.start('all-skipped');
    expect(skipped).toMatchObject({ status: 'completed', result: { completedUnits: [] } });
    const { status, body } = await resume(skipped);
    expect([status, body]).toEqual([500, refusal(skipped.runId)]);
    expect(await service.run(skipped)).toEqual(skipped);
  });

  it('says the same to a tool', async () => {
    const { runId } = await service.start('all-skipped');
    const args = { workflowId: 'all-skipped', runId };
    const { body } = await service.post('/mcp', {
      id: 1,
      method: 'tools/call',
      params: { name: 'resume_run', arguments: args },
    });
    expect(body.result.isError).toBe(true);
    expect(JSON.parse(body.result.content[0].text)).toEqual(refusal(runId));
  });

  it('keeps no Idempotency-Key: the same request is accepted once there is a checkpoint', async () => {
    let answer: (reply: { body: unknown }) => void = () => undefined;
    const asked = unit.requests.length + 1;
    unit.answer(() => new Promise((resolve) => (answer = resolve)));
    const running = await service.start('remote-then-pause', {});
    await unit.received(asked);
    const path = `/workflows/remote-then-pause/runs/${running.runId}`;
    const again = () => service.post(`${path}/resume`, {}, { 'Idempotency-Key': 'once' });
    expect((await again()).status).toBe(500);
    answer({ body: { content: 1 } });
    await eventually(
      () => service.run(running),
      (record) => record.status === 'paused',
    );
    expect((await again()).body.status).toBe('completed');
  });

  it('is not a run at the gate it begins with, nor one that paused before its first unit', async () => {
    const atGate = await service.start('gate-first');
    expect(await resume(atGate)).toMatchObject({ status: 200, body: { status: 'paused' } });
    const paused = await service.start('pause-first');
    expect(await resume(paused)).toMatchObject({ status: 200, body: { status: 'completed' } });
  });
});

describe('resuming a run that is over', () => {
  it('that fails again is 200 with the error', async () => {
    unit.answer({ status: 503 });
    const failed = await service.start('shaky');
    const { status, body } = await resume(failed);
    expect([status, body.status]).toEqual([200, 'failed']);
    expect(body).not.toHaveProperty('result');
  });
});

it('returns running when the run does not stop within FLOWGATE_RESUME_WAIT_MS', async () => {
  const impatient = await startService({ FLOWGATE_RESUME_WAIT_MS: '30' });
  try {
    const slow = mock('b', 2, { pause: 'before', config: { response: 2, delayMs: 400 } });
    await impatient.register(document('slow', [mock('a'), slow]));
    const { runId } = await impatient.start('slow');
    const { status, body } = await impatient.post(`/workflows/slow/runs/${runId}/resume`);
    expect([status, body.status]).toEqual([200, 'running']);
    expect(body).not.toHaveProperty('result');
  } finally {
    await impatient.close();
  }
});
