/**
 * Prints the record with which an example ends. `npm run demo` is told in one line what was seen, and prints the record
 * only by `--verbose`.
 */
export function show(seen, record) {
  console.log(JSON.stringify(record, null, 2));
  process.send?.({ seen, status: record.status, durationMs: record.result?.duration ?? 0 });
}
