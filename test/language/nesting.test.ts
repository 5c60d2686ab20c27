import { openEngine, workflowYaml } from '../support/engine.js';

/** Flows of every type around one unit, that many of them inside one another. */
function nested(levels: number): unknown {
  let flow: unknown = 'u';
  for (let level = 0; level < levels; level++) {
    const around = [
      { type: 'sequential', order: [flow] },
      { type: 'parallel', units: [flow] },
      { type: 'switch', cases: [{ if: 'true', do: flow }] },
      { type: 'loop', do: flow, maxIterations: 1 },
      { type: 'foreach', items: '[1]', do: flow },
      { type: 'dag', executors: [flow] },
      {
        type: 'router',
        routerUnit: { type: 'sequential', order: ['u'] },
        routes: { x: flow },
        default: flow,
      },
    ];
    flow = around[level % 6];
  }
  return flow;
}

const units = [{ id: 'u', uses: 'work' }];

describe('flows inside one another', () => {
  it('run when they are 64 levels deep', async () => {
    const { engine } = await openEngine({ work: () => 'done' });
    await engine.workflows.register({ yaml: workflowYaml('deep', { units, flow: nested(64) }) });
    const record = await engine.runs.start({ workflowId: 'deep', sync: true });
    expect(record.result?.state).toEqual({ 'output.u': 'done' });
  });

  it('are refused when they are 65 levels deep', async () => {
    const { engine } = await openEngine({ work: () => 'done' });
    const yaml = workflowYaml('deep', { units, flow: nested(65) });
    await expect(engine.workflows.register({ yaml })).rejects.toMatchObject({
      code: 'yaml-load',
      details: [{ message: 'flows nest at most 64 deep: take a part of this one out' }],
    });
  });

  it('are refused in short time when they are a thousand levels deep', async () => {
    const { engine } = await openEngine({ work: () => 'done' });
    const yaml = `{apiVersion: flowgate/v1, kind: Workflow, metadata: {id: deep}, spec: {units: [{id: u, uses: work}], flow: ${'{type: sequential, order: ['.repeat(
      1_000,
    )}u${']}'.repeat(1_000)}}}`;
    await expect(engine.workflows.register({ yaml })).rejects.toMatchObject({
      code: expect.stringMatching(/^yaml-(?:load|validation)$/),
    });
  });
});
