// The yardstick of a request: the same Nest and Express with one endpoint that parses a JSON body and answers a record
// of the same size (`BENCH_RECORD`).
import { serveStart } from './nest-endpoint.ts';

const record: unknown = JSON.parse(process.env['BENCH_RECORD'] ?? '{}');

await serveStart(() => record);
