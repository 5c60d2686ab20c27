// An engine over a SQLite store in the folder argv[2], with two pure units: `harmless`, and `kills`, which takes the process with
// it. With argv[3] `start` it starts a run of both, without waiting for it. Prints what became of the run, if it lives to see that.
import { setTimeout as delay } from 'node:timers/promises';
import { createEngine } from '../../../dist/engine/index.js';
import { SqliteRunStore } from '../../../dist/storage/sqlite/sqlite-run-store.js';

const [, , folder, order] = process.argv;
const engine = createEngine({ store: new SqliteRunStore({ folder }) });
engine.registerUnit('harmless', ({ input }) => input, { pure: true });
engine.registerUnit('kills', () => process.kill(process.pid, 'SIGKILL'), { pure: true });
await engine.open();
const units = ['harmless', 'harmless', 'kills'].map((uses, index) => ({ id: `${uses}-${index}`, uses }));
const spec = { units, flow: { type: 'sequential' } };
const yaml = JSON.stringify({ apiVersion: 'flowgate/v1', kind: 'Workflow', metadata: { id: 'w' }, spec });
await engine.workflows.register({ yaml });
if (order === 'start') await engine.runs.start({ workflowId: 'w' });
if (order === 'sync') await engine.runs.start({ workflowId: 'w', sync: true, idempotencyKey: 'once' });
for (let looks = 0; looks < 200; looks += 1) {
  const { items } = await engine.runs.list({ workflowId: 'w' });
  if (items.length === 0 || items[0].status !== 'running') {
    const reasons = [];
    for (const { runId } of items) {
      const { messages } = await engine.runs.messages({ workflowId: 'w', runId });
      reasons.push(...messages.flatMap(({ reason }) => reason ?? []));
    }
    console.log(JSON.stringify({ statuses: items.map(({ status }) => status), reasons }));
    break;
  }
  await delay(50);
}
await engine.close();
