import { inSequence, workflowYaml } from '../../test/support/engine.js';
import { openTestKit, scripted, type TestKit } from './index.js';

const CHARGE = {
  id: 'charge',
  uses: 'billing.charge',
  policyOverrides: { retry: { maxAttempts: 3, baseMs: 1_000, jitter: false } },
};
const AGREE = { id: 'agree', uses: 'builtin.approval', config: { title: 'Pay?' } };
const WAIT = { id: 'wait', uses: 'slow', policyOverrides: { timeout: { unitMs: 30 * 60_000 } } };
const SLOW = () =>
  scripted()
    .after(20 * 60_000)
    .answers('late');

let kit: TestKit;
afterEach(async () => await kit?.close());

const messageOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'nothing was thrown',
    (error: Error) => `${error.name}: ${error.message}`,
  );

describe('a run under the kit', () => {
  it('goes to its gate, is approved, and completes, however long it takes by its clock', async () => {
    const charge = scripted().fails('busy').after(90_000).answers({ paid: true });
    kit = await openTestKit({
      units: { 'billing.charge': charge, slow: SLOW() },
      workflows: [inSequence('order', [WAIT, AGREE, CHARGE])],
    });
    const began = performance.now();
    const from = kit.clock.now();
    const run = await kit.start('order', { amount: 7 });
    expect(await run.untilGate('agree')).toMatchObject({ type: 'hitl-request', unitId: 'agree' });
    expect(kit.clock.now() - from).toBeGreaterThanOrEqual(20 * 60_000);
    const record = await run.approve({ responder: 'ann' });
    expect(record).toMatchObject({
      status: 'completed',
      result: { state: { 'output.charge': { paid: true } } },
    });
    expect(charge.calls.map(({ input, attempt }) => [input, attempt])).toEqual([
      [{ amount: 7 }, 1],
      [{ amount: 7 }, 2],
    ]);
    expect(charge.calls[0]!.idempotencyKey).toBe(charge.calls[1]!.idempotencyKey);
    expect(charge.calls[1]!.at - charge.calls[0]!.at).toBeGreaterThanOrEqual(1_000);
    await run.expectMessages(
      { type: 'hitl-response', approved: true, responder: 'ann' },
      { type: 'unit-retry', error: /busy/ },
      { type: 'unit-output', sourceUnitId: 'charge', data: { paid: true } },
    );
    await run.expectNoMessage({ type: 'unit-error' as never });
    expect(performance.now() - began).toBeLessThan(15_000);
  });

  it('is rejected, resumed, and driven to its end', async () => {
    kit = await openTestKit({
      units: { 'billing.charge': scripted().failsForGood('no card').answers('paid') },
      workflows: [inSequence('order', [{ id: 'first', uses: 'builtin.mock' }, CHARGE])],
    });
    const run = await kit.start('order');
    await run.expectFailed('no card');
    await run.expectFailed(/failed after 1 attempt/);
    expect(await run.resume()).toMatchObject({ status: 'completed' });
    await run.expectCompleted();
    expect((await run.record()).runId).toBe(run.runId);
  });

  it('is cancelled: the unit under way is notified, its result counts, and the clean-up runs', async () => {
    const patient = scripted().does(
      (_request, { signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve('let go'))),
    );
    const tidy = scripted().answers('tidied');
    const units = [
      { id: 'work', uses: 'patient' },
      { id: 'tidy', uses: 'tidy' },
    ];
    const flow = { type: 'sequential', order: ['work'] };
    kit = await openTestKit({
      units: { patient, tidy },
      workflows: [workflowYaml('order', { units, flow, onCancel: ['tidy'] })],
    });
    const run = await kit.start('order');
    await kit.clock.advance(0);
    expect(await run.cancel({ by: 'ann' })).toMatchObject({ status: 'failed', error: 'Cancelled by ann' });
    await run.expectMessages(
      { type: 'cancel-requested', by: 'ann' },
      { type: 'unit-output', sourceUnitId: 'work', data: 'let go' },
      { type: 'unit-output', sourceUnitId: 'tidy', data: 'tidied' },
      { type: 'run-cancelled', by: 'ann' },
    );
  });

  it('is paused until it is resumed; a unit that never returns is given up after the grace', async () => {
    const stuck = scripted().hangs().answers('there');
    kit = await openTestKit({
      units: { stuck },
      workflows: [inSequence('order', [{ id: 'work', uses: 'stuck' }])],
    });
    const run = await kit.start('order');
    await kit.clock.advance(0);
    const from = kit.clock.now();
    expect((await run.pause()).status).toBe('paused');
    expect(kit.clock.now() - from).toBe(5_000);
    await run.expectMessages({ type: 'run-paused', reason: 'requested', error: 'Paused by test' });
    const record = await run.resume({ budget: { maxTokens: 5 } });
    expect(record).toMatchObject({ status: 'completed', result: { state: { 'output.work': 'there' } } });
  });

  it('may call units that do real work, and units that never return', async () => {
    kit = await openTestKit({
      units: {
        real: async ({ input }) => {
          await new Promise((resolve) => setTimeout(resolve, 30));
          return input;
        },
        hanging: scripted().hangs().forever(),
      },
      workflows: [
        inSequence('real', [{ id: 'u', uses: 'real' }]),
        inSequence('hanging', [{ id: 'u', uses: 'hanging', policyOverrides: { timeout: { unitMs: 500 } } }]),
      ],
    });
    const from = kit.clock.now();
    await (await kit.start('real')).expectCompleted();
    expect(kit.clock.now()).toBe(from);
    await (await kit.start('hanging')).expectFailed('timed out after 500 ms');
  });

  it('takes documents as objects, and repeats the last step from then on', async () => {
    const unit = scripted()
      .does(({ input }) => input)
      .forever();
    const document = JSON.parse(
      workflowYaml('loop', {
        units: [{ id: 'u', uses: 'echo' }],
        flow: { type: 'loop', do: 'u', maxIterations: 3 },
      }),
    ) as object;
    kit = await openTestKit({ units: { echo: unit }, workflows: [document] });
    await (await kit.start('loop')).expectCompleted();
    expect(unit.calls).toHaveLength(3);
  });
});

describe('what the kit says when a run does something else', () => {
  it('names what was expected, the status of the run, and all that it said', async () => {
    kit = await openTestKit({
      units: { 'billing.charge': scripted().answers(1) },
      workflows: [inSequence('order', [CHARGE, AGREE])],
    });
    const run = await kit.start('order');
    const said = await messageOf(run.expectCompleted());
    expect(said).toMatch(
      /^RunAssertionError: Expected the run of order to complete, and it is paused\nThe run said:\n    1\. /,
    );
    expect(said).toContain("type: 'hitl-request'");
    expect(await messageOf(run.untilGate('other'))).toContain('to wait at the gate other, and it is paused');
    expect(await messageOf(run.expectFailed('x'))).toContain('to fail with x, and it is paused');
    expect(await messageOf(run.reject())).toBe('nothing was thrown');
    expect(await messageOf(run.untilGate())).toContain('to wait at a gate, and it has failed');
  });

  it('shows which messages were found and which was not', async () => {
    kit = await openTestKit({
      units: { 'billing.charge': scripted().answers({ a: [1] }) },
      workflows: [inSequence('order', [CHARGE])],
    });
    const run = await kit.start('order');
    await run.untilStopped();
    const output = { type: 'unit-output', data: { a: [1] } } as const;
    const said = await messageOf(run.expectMessages(output, output));
    expect(said).toContain('Expected 2 of 2 is not there behind message 1');
    expect(said).toMatch(/1\. \{ type: 'unit-output'.*<- expected 1/);
    await run.expectMessages({ type: 'unit-output', data: (data: unknown) => typeof data === 'object' });
    expect(await messageOf(run.expectMessages({ type: 'unit-output', data: { a: [2] } }))).toContain(
      'Expected 1 of 1 is not there: ',
    );
    expect(await messageOf(run.expectNoMessage(output))).toContain('<- this one');
  });

  it('says that a script is at its end', async () => {
    kit = await openTestKit({
      units: { twice: scripted().answers(1) },
      workflows: [
        inSequence(
          'order',
          ['a', 'b'].map((id) => ({ id, uses: 'twice' })),
        ),
      ],
    });
    const run = await kit.start('order');
    await run.expectFailed('the script of this unit has 1 step(s), and this is call 2 (unit b');
  });

  it('says that the time was not enough', async () => {
    kit = await openTestKit({ units: { slow: SLOW() }, workflows: [inSequence('order', [WAIT])] });
    const run = await kit.start('order');
    expect(await messageOf(run.untilStopped({ withinMs: 60_000 }))).toContain(
      'to stop within 60000 ms, and it is running',
    );
  });

  it('leaves no engine open when a document is wrong', async () => {
    kit = await openTestKit();
    await expect(openTestKit({ workflows: [inSequence('x', [CHARGE])] })).rejects.toThrow(
      'no unit answers to billing.charge',
    );
  });
});
