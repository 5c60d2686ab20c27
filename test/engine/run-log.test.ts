import { setImmediate as turn } from 'node:timers/promises';
import { RecordingLogger } from '../../src/engine/testing/recording-logger.js';
import { inSequence, openEngine, workflowYaml, type TestEngine } from '../support/engine.js';

const PRIVATE = 'the customer said pelican';

/** An engine whose log a test reads; `said` is without the id of the run. */
async function logged(units: Parameters<typeof openEngine>[0]) {
  const logger = new RecordingLogger();
  const { engine, clock }: TestEngine = await openEngine(units, { logger });
  const said = () =>
    logger.said
      .filter(({ fields }) => 'runId' in fields)
      .map(({ level, message, fields: { runId: _runId, ...fields } }) => ({ level, message, ...fields }));
  return { engine, clock, logger, said };
}

describe('the log of the engine', () => {
  it('has a line for the start and the end of a run, and nothing of its content', async () => {
    const { engine, logger, said } = await logged({ work: () => ({ text: PRIVATE }) });
    await engine.workflows.register({ yaml: inSequence('w', [{ id: 'a', uses: 'work' }]) });
    const { runId } = await engine.runs.start({ workflowId: 'w', input: { text: PRIVATE }, sync: true });
    expect(said()).toEqual([
      { level: 'info', message: 'Run started', workflowId: 'w' },
      { level: 'info', message: 'Run ended', workflowId: 'w', status: 'completed', durationMs: 0 },
    ]);
    expect(logger.said.every(({ fields }) => !('runId' in fields) || fields['runId'] === runId)).toBe(true);
    expect(JSON.stringify(logger.said)).not.toContain('pelican');
    await engine.close();
  });

  it('warns of each retry and of the failure, with the unit and the attempt', async () => {
    const { engine, clock, said } = await logged({
      work: () => Promise.reject(new Error(`no: ${'x'.repeat(1_000)}`)),
    });
    const policy = { retry: { maxAttempts: 2, backoff: 'fixed', baseMs: 100, jitter: false } };
    await engine.workflows.register({ yaml: inSequence('w', [{ id: 'a', uses: 'work' }], { policy }) });
    const ended = engine.runs.start({ workflowId: 'w', sync: true });
    for (let step = 0; step < 5; step += 1) {
      await turn();
      await clock.advance(100);
    }
    await ended;
    const [started, retry, failure, end, ...more] = said() as { error?: string }[];
    expect(started).toMatchObject({ level: 'info', message: 'Run started' });
    expect(retry).toMatchObject({ level: 'warn', unitId: 'a', attempt: 1, retryInMs: 100 });
    expect(failure).toMatchObject({ level: 'warn', message: 'Unit failed', unitId: 'a', attempt: 2 });
    expect(failure?.error?.length).toBeLessThanOrEqual(201);
    expect(end).toMatchObject({ level: 'info', message: 'Run ended', status: 'failed', durationMs: 100 });
    expect(more).toEqual([]);
    await engine.close();
  });

  it('has a line when a run waits for a person, says why, and does not repeat it on a read', async () => {
    const { engine, said } = await logged({ work: () => 'done' });
    const yaml = inSequence('w', [
      { id: 'gate', uses: 'builtin.approval' },
      { id: 'a', uses: 'work', pause: 'before' },
    ]);
    await engine.workflows.register({ yaml });
    const { runId } = await engine.runs.start({ workflowId: 'w', sync: true });
    await engine.runs.get({ workflowId: 'w', runId });
    expect(said().slice(1)).toEqual([
      { level: 'info', message: 'Run paused', workflowId: 'w', reason: 'gate', unitId: 'gate' },
    ]);
    await engine.close();
  });

  it('has one line for two gates when what ran next to them is over', async () => {
    const gate = Promise.withResolvers<string>();
    const { engine, said } = await logged({ slow: () => gate.promise });
    const yaml = workflowYaml('w', {
      units: [
        { id: 'one', uses: 'builtin.approval' },
        { id: 'two', uses: 'builtin.approval' },
        { id: 'slow', uses: 'slow' },
      ],
      flow: { type: 'parallel', units: ['one', 'two', 'slow'] },
    });
    await engine.workflows.register({ yaml });
    const waiting = engine.runs.start({ workflowId: 'w', sync: true });
    await turn();
    expect(said().map(({ message }) => message)).toEqual(['Run started']);
    gate.resolve('done');
    await waiting;
    expect(said().slice(1)).toEqual([
      { level: 'info', message: 'Run paused', workflowId: 'w', reason: 'gate' },
    ]);
    await engine.close();
  });

  it('warns of a run that fails without a unit', async () => {
    const { engine, said } = await logged({});
    await engine.workflows.register({
      yaml: inSequence('w', [{ id: 'no', uses: 'builtin.fail', config: { message: 'not today' } }]),
    });
    await engine.runs.start({ workflowId: 'w', sync: true });
    expect(said().filter(({ level }) => level === 'warn')).toHaveLength(1);
    expect(said().at(-1)).toMatchObject({ level: 'info', message: 'Run ended', status: 'failed' });
    await engine.close();
  });

  it('formats nothing that is not logged', async () => {
    const logger = Object.assign(new RecordingLogger(), { isOn: (level: string) => level === 'error' });
    const { engine } = await openEngine({ work: () => Promise.reject(new Error('no')) }, { logger });
    const policy = { retry: { maxAttempts: 1 } };
    await engine.workflows.register({ yaml: inSequence('w', [{ id: 'a', uses: 'work' }], { policy }) });
    await engine.runs.start({ workflowId: 'w', sync: true });
    expect(logger.said.filter(({ fields }) => 'runId' in fields)).toEqual([]);
    await engine.close();
  });
});
