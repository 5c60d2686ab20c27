// Mastra: three steps in a row, with its default engine and without a storage.
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { z } from 'zod';
import { contend } from '../support/contender.ts';

const anything = z.object({}).loose();
const step = (id: string) =>
  createStep({ id, inputSchema: anything, outputSchema: anything, execute: async () => ({ ok: true }) });
const workflow = createWorkflow({ id: 'three', inputSchema: anything, outputSchema: anything })
  .then(step('a'))
  .then(step('b'))
  .then(step('c'))
  .commit();

contend(
  {
    run: async () => {
      const run = await workflow.createRun();
      const { status } = await run.start({ inputData: { amount: 5 } });
      if (status !== 'success') throw new Error(status);
    },
  },
  async () => {},
);
