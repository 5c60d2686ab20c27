// Opens the store in argv[2] as the user argv[3] (a number; not given: the same user) and prints what came of it.
import { SqliteRunStore } from '../../../.tmp/sqlite-worker/storage/sqlite/sqlite-run-store.js';

const [folder, user] = process.argv.slice(2);
if (user !== undefined) {
  process.setgid(Number(user));
  process.setuid(Number(user));
}
const store = new SqliteRunStore({ folder });
try {
  await store.open();
  await store.close();
  console.log(JSON.stringify({ code: null }));
} catch (error) {
  console.log(JSON.stringify({ code: error.code, message: error.message }));
}
