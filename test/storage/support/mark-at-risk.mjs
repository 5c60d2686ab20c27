// Marks runs as being at risk in the store in argv[2] and waits to be killed, or closes (argv[3]: `close`). Prints what
// it found. `died in` is at seq 4, or at that of argv[4].
import { SqliteRunStore } from '../../../.tmp/sqlite-worker/storage/sqlite/sqlite-run-store.js';

const [folder, end, seq = '4'] = process.argv.slice(2);
const store = new SqliteRunStore({ folder });
await store.open();
process.stdout.write(`${JSON.stringify(await store.deathsLeftBehind({ shards: null }))}\n`);
store.markAtRisk({ runId: 'over', doing: 'turn', lastSeq: 1 });
store.markAtRisk({ runId: 'died in', doing: 'turn', lastSeq: Number(seq) - 1 });
store.markAtRisk({ runId: 'died in', doing: 'turn', lastSeq: Number(seq) });
store.markAtRisk({ runId: 'over', doing: 'turn', lastSeq: null });
if (end === 'close') await store.close();
process.stdout.write('marked\n');
if (end !== 'close') setInterval(() => {}, 1_000);
