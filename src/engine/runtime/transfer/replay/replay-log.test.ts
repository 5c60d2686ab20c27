import { changed, exportOf } from '../../../../../test/support/exports.js';
import { openEngine } from '../../../../../test/support/engine.js';
import { document } from '../../../../../test/support/workflow-documents.js';
import { replayRun } from '../../../index.js';

const PASSES = 120;

describe('the differences between a log and what the engine does today', () => {
  it('are all counted, and the first hundred of them shown', async () => {
    const { engine } = await openEngine();
    const flow = {
      type: 'loop',
      do: 'a',
      until: `iteration + 1 >= ${PASSES}`,
      maxIterations: PASSES,
    };
    const unit = { id: 'a', uses: 'builtin.set', config: { values: { n: '${{ input.n }}' } } };
    await engine.workflows.register({ yaml: document('w', [unit], { flow }) });
    const run = await engine.runs.start({ workflowId: 'w', input: { n: 1 }, sync: true });
    const other = changed(await exportOf(engine, run), (lines) => {
      lines.find(({ type }) => type === 'run-started')!['input'] = { n: 2 };
    });
    await engine.close();
    const { different, differences } = await replayRun({ ndjson: Buffer.from(other) });
    expect(different).toBe(PASSES);
    expect(differences).toHaveLength(100);
  });
});
