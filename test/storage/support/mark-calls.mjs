// Marks calls in the store in argv[2] and waits to be killed, or closes (argv[3]: `close`). Prints what it found.
import { SqliteRunStore } from '../../../.tmp/sqlite-worker/storage/sqlite/sqlite-run-store.js';

const [folder, end] = process.argv.slice(2);
const store = new SqliteRunStore({ folder });
await store.open();
process.stdout.write(`${JSON.stringify(await store.callsLeftBehind({ shards: null }))}\n`);
const call = (executionId, attempt = 1) => ({ runId: 'run 1', executionId, attempt });
store.markCalls({ begun: [call(1), call(2), call(3)], ended: [] });
store.markCalls({ begun: [call(2, 2)], ended: [call(2), call(3)] });
if (end === 'close') await store.close();
process.stdout.write('marked\n');
if (end !== 'close') setInterval(() => {}, 1_000);
