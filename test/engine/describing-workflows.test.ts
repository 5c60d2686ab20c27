import { RecordingLogger } from '../../src/engine/testing/recording-logger.js';
import { openEngine } from '../support/engine.js';
import { yamlOf } from '../support/registrars.js';

const input = { type: 'object', required: ['n'], properties: { n: { type: 'number' } } };
const annotations = { owner: 'payments', hidden: true, weight: 1.5 };
const described = yamlOf('w', { input }, { description: 'Counts.', labels: { team: 'a' }, annotations });

describe('the description of a workflow', () => {
  it('is what the list says of it, and its input', async () => {
    const { engine } = await openEngine({ work: () => 1 });
    await engine.workflows.register({ yaml: described });
    const [summary] = await engine.workflows.list();
    expect(await engine.workflows.describe('w')).toEqual({ ...summary, inputSchema: input, annotations });
    expect(summary).not.toHaveProperty('annotations');
  });

  it('is that of the current registration in the namespace; null where there is none', async () => {
    const { engine } = await openEngine({ work: () => 1 });
    await engine.workflows.register({ yaml: described });
    await engine.workflows.register({ yaml: yamlOf('w'), namespace: 'acme' });
    expect(await engine.workflows.describe('w', 'acme')).toMatchObject({
      inputSchema: null,
      annotations: {},
    });
    expect(await engine.workflows.describe('v')).toBeNull();
    await engine.workflows.register({ yaml: yamlOf('w', { input: {} }) });
    expect(await engine.workflows.describe('w')).toMatchObject({ inputSchema: {}, annotations: {} });
  });

  it('cannot be changed by a reader, and the input is checked as before', async () => {
    const { engine } = await openEngine({ work: () => 1 });
    await engine.workflows.register({ yaml: described });
    const description = await engine.workflows.describe('w');
    const { inputSchema, annotations: notes, labels, units } = description!;
    for (const part of [description, inputSchema!['properties'], notes, labels, units]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
    await expect(engine.runs.start({ workflowId: 'w' })).rejects.toMatchObject({ code: 'invalid-input' });
    expect((await engine.runs.start({ workflowId: 'w', input: { n: 1 }, sync: true })).status).toBe(
      'completed',
    );
  });
});

describe('an observer of the workflows', () => {
  it('is notified after each registration, whatever another observer throws, until it unsubscribes', async () => {
    const logger = new RecordingLogger();
    const { engine } = await openEngine({ work: () => 1 }, { logger });
    engine.workflows.observe(() => {
      throw new Error('I look no more');
    });
    const seen: Promise<number>[] = [];
    const stop = engine.workflows.observe(() => {
      seen.push(engine.workflows.list().then(({ length }) => length));
    });
    await engine.workflows.register({ yaml: yamlOf('w') });
    await engine.workflows.register({ yaml: described });
    await engine.workflows.register({ yaml: yamlOf('v') });
    await expect(engine.workflows.register({ yaml: 'no workflow' })).rejects.toMatchObject({
      code: 'yaml-validation',
    });
    expect(await Promise.all(seen)).toEqual([1, 1, 2]);
    stop();
    await engine.workflows.register({ yaml: yamlOf('u') });
    expect(seen).toHaveLength(3);
    expect(logger.at('error')).toHaveLength(4);
  });
});
