/**
 * It replaces modules.
 * @jest-environment node
 */
import { jest } from '@jest/globals';
import type { Signal } from '../../src/engine/core/signal.js';

// A fault inside the core cannot be produced from outside, hence this one mock.
const real = await import('../../src/engine/core/decide.js');
let isFaulty: (signal: Signal) => boolean = () => false;
jest.unstable_mockModule('../../src/engine/core/decide.js', () => ({
  ...real,
  decide: (...given: Parameters<typeof real.decide>) => {
    if (isFaulty(given[2])) throw new Error('the plan does not fit the log');
    return real.decide(...given);
  },
}));
const { inSequence, openEngine } = await import('../support/engine.js');

describe('a run of which something cannot be decided', () => {
  afterEach(() => {
    isFaulty = () => false;
  });

  async function stuck() {
    const calls: string[] = [];
    const said: string[] = [];
    const log = (message: string): void => {
      said.push(message);
    };
    const { engine, clock } = await openEngine(
      { work: ({ context }) => calls.push(context.executionId) },
      { logger: { debug: () => {}, info: () => {}, warn: () => {}, error: log } },
    );
    await engine.workflows.register({
      yaml: inSequence(
        'w',
        ['a', 'b'].map((id) => ({ id, uses: 'work' })),
      ),
    });
    isFaulty = ({ type }) => type === 'unit-finished';
    const record = await engine.runs.start({ workflowId: 'w', sync: true });
    return { engine, clock, calls, said, record, address: { workflowId: 'w', runId: record.runId } };
  }

  it('is shown as paused, with the cause in its messages, and callers that waited are answered', async () => {
    const { record } = await stuck();
    expect(record.status).toBe('paused');
    expect(record.result?.messages).toContainEqual(
      expect.objectContaining({
        type: 'run-paused',
        reason: 'undecided',
        error: 'the plan does not fit the log',
      }),
    );
  });

  it('does not have its unit called again, however long it stays so', async () => {
    const { clock, calls, said } = await stuck();
    await clock.advance(3_600_000);
    expect(calls).toHaveLength(1);
    expect(said.length).toBeLessThan(20);
  });

  it('continues with the outcome of the unit once it can, by a resume', async () => {
    const { engine, calls, address } = await stuck();
    expect((await engine.runs.get(address)).status).toBe('paused');
    isFaulty = () => false;
    // The first checkpoint of the run is the pause itself.
    const record = await engine.runs.resume(address);
    expect(record.status).toBe('completed');
    expect(calls).toHaveLength(2);
  });

  it('stays paused when a resume finds that it still cannot be decided', async () => {
    const { engine, calls, address } = await stuck();
    expect((await engine.runs.resume(address)).status).toBe('paused');
    expect(calls).toHaveLength(1);
  });

  it('continues by itself, without a request', async () => {
    const { engine, clock, calls, address } = await stuck();
    isFaulty = () => false;
    await clock.advance(2_000);
    expect((await engine.runs.get(address)).status).toBe('completed');
    expect(calls).toHaveLength(2);
  });

  it('is counted in the health of the engine', async () => {
    const { engine, clock } = await stuck();
    expect((await engine.health()).undecidedRuns).toBe(1);
    isFaulty = () => false;
    await clock.advance(2_000);
    expect((await engine.health()).undecidedRuns).toBe(0);
  });

  it('tells a person whose decision cannot be applied, and leaves the gate open', async () => {
    const { engine } = await openEngine();
    await engine.workflows.register({ yaml: inSequence('g', [{ id: 'gate', uses: 'builtin.approval' }]) });
    const { runId } = await engine.runs.start({ workflowId: 'g', sync: true });
    const decision = { workflowId: 'g', runId, approved: true, responder: 'ann' };
    isFaulty = ({ type }) => type === 'decision';
    await expect(engine.gates.respond(decision)).rejects.toThrow('the plan does not fit the log');
    isFaulty = () => false;
    expect((await engine.gates.respond(decision)).status).toBe('completed');
  });
});
