import { openTestKit } from '../../src/testing/index.js';
import { workflowYaml } from '../support/engine.js';

const A_DAY_MS = 86_400_000;
const DAYS = 365;

describe('under a clock that a test moves', () => {
  it('a year passes in seconds, with a day waited 365 times', async () => {
    let looks = 0;
    const kit = await openTestKit({
      units: { look: () => (looks += 1) },
      workflows: [
        workflowYaml('daily', {
          units: [
            { id: 'wait', uses: 'builtin.wait', config: { duration: 'P1D' } },
            { id: 'look', uses: 'look' },
          ],
          flow: { type: 'loop', do: { type: 'sequential', order: ['wait', 'look'] }, maxIterations: DAYS },
        }),
      ],
    });
    const before = kit.clock.now();
    const startedAt = performance.now();
    const run = await kit.start('daily');
    await run.expectCompleted({ withinMs: (DAYS + 1) * A_DAY_MS });
    // About 6 s on an idle machine; a clock that is moved from one look at the process to the next takes hours.
    expect(performance.now() - startedAt).toBeLessThan(30_000);
    expect(kit.clock.now() - before).toBe(DAYS * A_DAY_MS);
    expect(looks).toBe(DAYS);
    await kit.close();
  }, 60_000);

  it('a year passes in one step, for a run that waits until then', async () => {
    const kit = await openTestKit({
      workflows: [
        workflowYaml('patient', {
          units: [{ id: 'wait', uses: 'builtin.wait', with: { until: '${{ input.at }}' } }],
          flow: 'wait',
        }),
      ],
    });
    const at = kit.clock.now() + DAYS * A_DAY_MS;
    const run = await kit.start('patient', { at });
    await kit.clock.advance(DAYS * A_DAY_MS - 1);
    expect((await run.record()).status).toBe('running');
    await kit.clock.advance(1);
    expect((await run.record()).status).toBe('completed');
    await kit.close();
  }, 60_000);
});
