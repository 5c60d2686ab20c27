/**
 * It replaces modules, and asks what is loaded.
 * @jest-environment node
 */
import { jest } from '@jest/globals';
import { startUnitServer } from '../support/unit-server.js';

it('calls units without loading axios, which is only for a host that passes its own', async () => {
  const loaded: string[] = [];
  for (const name of ['axios', '@nestjs/axios']) {
    jest.unstable_mockModule(name, () => {
      loaded.push(name);
      return { create: () => ({}), AxiosHeaders: class {}, AxiosError: class {}, default: {} };
    });
  }
  const unit = await startUnitServer({ body: { content: 'ok' } });
  const { createEngine } = await import('../../src/engine/index.js');
  const { FlowgateModule } = await import('../../src/flowgate.module.js');
  const engine = createEngine();
  await engine.open();
  const yaml = `
apiVersion: flowgate/v1
kind: Workflow
metadata: { id: remote }
spec:
  units: [{ id: a, uses: acme.a }]
  flow: { type: sequential }
`;
  await engine.workflows.register({ yaml, bindings: { 'acme.a': { type: 'http', endpoint: unit.url } } });
  const { status } = await engine.runs.start({ workflowId: 'remote', input: {}, sync: true });
  await engine.close();
  await unit.close();
  expect([status, unit.requests.length, typeof FlowgateModule]).toEqual(['completed', 1, 'function']);
  expect(loaded).toEqual([]);

  await import('../../src/engine/units/http/transport/axios-transport.js');
  expect(loaded).toEqual(['axios']);
});
