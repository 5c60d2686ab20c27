// An engine over a SQLite store in the folder argv[2], with two pure units: `harmless`, and `kills`, which takes the process with
// it, and `work`, which is not pure and notes each of its calls. argv[3] says which of them a run has, argv[4] whether one is started:
// `start`, or `sync`, which waits for it. Prints what became of the runs, if it lives to see that.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createEngine } from '../../../dist/engine/index.js';
import { SqliteRunStore } from '../../../dist/index.js';

const [, , folder, made, order] = process.argv;
const engine = createEngine({ store: new SqliteRunStore({ folder }) });
engine.registerUnit('harmless', ({ input }) => input, { pure: true });
engine.registerUnit('kills', () => process.kill(process.pid, 'SIGKILL'), { pure: true });
engine.registerUnit('work', async () => appendFileSync(join(folder, 'calls.txt'), 'called\n'));
await engine.open();
const register = (id, uses) => {
  const units = uses.map((each, index) => ({
    id: `${each.split('.').at(-1)}-${index}`,
    uses: each,
    ...configOf(each),
  }));
  const spec = { units, flow: { type: 'sequential' } };
  return engine.workflows.register({
    yaml: JSON.stringify({ apiVersion: 'flowgate/v1', kind: 'Workflow', metadata: { id }, spec }),
  });
};
const configOf = (uses) => (uses === 'builtin.workflow' ? { config: { workflowId: 'child' } } : {});
await register('child', ['harmless', 'kills']);
await register('w', made.split(','));
if (order === 'start') await engine.runs.start({ workflowId: 'w' });
if (order === 'sync') await engine.runs.start({ workflowId: 'w', sync: true, idempotencyKey: 'once' });
for (let looks = 0; looks < 200; looks += 1) {
  const { items } = await engine.runs.list();
  if (items.every(({ status }) => status !== 'running')) {
    const reasons = [];
    for (const { runId, workflowId } of items) {
      const { messages } = await engine.runs.messages({ workflowId, runId });
      reasons.push(
        ...messages.flatMap(({ type, reason, unitId }) =>
          type === 'run-paused' ? `${reason} ${unitId}` : [],
        ),
      );
    }
    console.log(JSON.stringify({ statuses: items.map(({ status }) => status), reasons }));
    break;
  }
  await delay(50);
}
await engine.close();
