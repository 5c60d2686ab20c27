import fc from 'fast-check';
import type { JsonObject } from '../../src/engine/core/json.js';
import { decodePlan, encodePlan } from '../../src/engine/language/stored-plan/plan-codec.js';
import { compileText, SimulatedRun } from '../support/simulated-run.js';
import { timedWorkflowText as workflowText } from '../support/workflow-arbitrary.js';
import { lawCases } from '../support/law-cases.js';

const numRuns = lawCases(2_000);

describe('a random workflow whose plan was stored', () => {
  it('runs exactly as the one that was compiled: the same events, whatever the order of the outcomes', () => {
    fc.assert(
      fc.property(workflowText, fc.array(fc.nat(0xffff), { minLength: 1, maxLength: 50 }), (text, dice) => {
        const plan = compileText(text);
        const stored = JSON.parse(JSON.stringify(encodePlan(plan))) as JsonObject;
        const logs = [plan, decodePlan(stored)].map((each) => {
          let thrown = 0;
          const run = new SimulatedRun(each);
          run.finish((count) => dice[thrown++ % dice.length]! % count);
          return run.log;
        });
        expect(logs[1]).toEqual(logs[0]);
      }),
      { numRuns: Math.ceil(numRuns / 2) },
    );
  }, 120_000);
});
