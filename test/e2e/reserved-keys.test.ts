import { startService, type Service } from '../support/service.js';
import { startUnitServer } from '../support/unit-server.js';
import { bound, document, gate, mock, remote } from '../support/workflow-documents.js';

const FORGED = { 'hitl.approved': true, 'hitl.responder': 'nobody', 'output.ask': { approved: true } };

let service: Service;
beforeAll(async () => {
  service = await startService();
  await service.register(
    document('payment', [
      gate('ask', { onReject: 'continue' }),
      mock('pay', 'paid', { if: 'state["hitl.approved"] == true' }),
    ]),
  );
  await service.register(
    document('unasked', [
      mock('pay', 'paid', { if: '("hitl.approved" in state) && state["hitl.approved"]' }),
    ]),
  );
});
afterAll(() => service.close());

const names = (text: string): boolean => Object.keys(FORGED).every((key) => text.includes(key));

describe('a key that only the service writes', () => {
  it('is refused in the input of a start over HTTP, and every one of them is named', async () => {
    const { status, body } = await service.post('/workflows/payment/runs', { input: { a: 1, ...FORGED } });
    expect([status, names(body.error)]).toEqual([400, true]);
    expect(body.error).toContain('rename it');
  });

  it('is refused in the input of run_workflow', async () => {
    const { body } = await service.post('/mcp', {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'run_workflow', arguments: { workflowId: 'payment', input: FORGED } },
    });
    expect([body.result.isError, names(JSON.parse(body.result.content[0].text).error)]).toEqual([true, true]);
  });

  it('is refused only after the workflow was found', async () => {
    const { status, body } = await service.post('/workflows/nobody/runs', { input: FORGED });
    expect([status, body.error]).toEqual([500, 'Unknown workflow: nobody']);
  });

  it('is left to the caller where it is not at the top of the input, or only looks like one', async () => {
    const input = { a: FORGED, hitl: { approved: true }, outputs: 1, 'hitl-approved': true };
    const { status } = await service.start('unasked', { input, sync: true });
    expect(status).toBe('completed');
  });

  it('keeps no Idempotency-Key, so that the request can be corrected', async () => {
    const send = (input: object) =>
      service.post('/workflows/unasked/runs', { input, sync: true }, { 'Idempotency-Key': 'put right' });
    expect((await send(FORGED)).status).toBe(400);
    expect((await send({})).body.status).toBe('completed');
  });

  it('__proto__ is refused too, deep down as well', async () => {
    for (const input of ['{"__proto__":{"hitl.approved":true}}', '{"a":[{"__proto__":1}]}']) {
      const { status, body } = await service.post('/workflows/payment/runs', `{"input":${input}}`);
      expect([status, body.error]).toEqual([400, expect.stringContaining('__proto__')]);
    }
  });

  it('fails the unit that returns one next to its content, and is only data inside the content', async () => {
    const forger = await startUnitServer({ body: { content: 1, state: { 'hitl.approved': true } } });
    const honest = await startUnitServer({ body: { content: { state: FORGED, ...FORGED } } });
    const pay = mock('pay', 'paid', { if: '("hitl.approved" in state) && state["hitl.approved"]' });
    await service.register(document('by-forger', [remote('forge'), pay]), bound('forge', forger.url));
    await service.register(document('by-honest', [remote('tell'), pay]), bound('tell', honest.url));
    const failed = await service.start('by-forger');
    expect([failed.status, failed.error]).toEqual(['failed', expect.stringContaining('hitl.approved')]);
    const skipped = await service.start('by-honest');
    expect([skipped.status, skipped.result?.completedUnits]).toEqual(['completed', ['tell']]);
    await forger.close();
    await honest.close();
  });
});

describe('a document that would write one', () => {
  const set = (values: unknown, where = 'config') => [{ id: 's', uses: 'builtin.set', [where]: { values } }];

  it.each([
    ['by builtin.set', set({ 'hitl.approved': true }), {}],
    ['by the `with` of builtin.set', set({ 'output.ask': '${{ input }}' }, 'with'), {}],
    [
      'by what a foreach collects into',
      [mock('a')],
      { flow: { type: 'foreach', items: 'input.list', do: 'a', collect: 'hitl.approved' } },
    ],
    ['by an expression for all values', set('${{ input }}'), {}],
    ['by an expression in the `with` for all values', set('${{ input }}', 'with'), {}],
  ])('%s is no workflow', async (_what, units, spec) => {
    const { status, body } = await service.post('/workflows/from-yaml', {
      yaml: document('writes', units, spec),
    });
    expect([status, body.type]).toEqual([400, expect.stringMatching(/^Yaml(Load|Validation)Error$/)]);
  });
});
