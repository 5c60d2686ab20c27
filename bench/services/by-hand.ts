// The floor of a workflow: three calls written by hand in a Nest and Express endpoint, with what undici offers, one after
// another, each with what the one before answered. No retries, no time-outs, no log, no masking, no address rules.
import { Pool } from 'undici';
import { unitBody } from '../support/workflows.ts';
import { serveStart } from './nest-endpoint.ts';

const { origin, pathname } = new URL(process.env['BENCH_UNIT'] ?? 'http://127.0.0.1:9');
const pool = new Pool(origin);
const headers = { 'content-type': 'application/json', accept: 'application/json' };

async function call(input: unknown, state: Readonly<Record<string, unknown>>): Promise<unknown> {
  const answer = await pool.request({
    path: pathname,
    method: 'POST',
    headers,
    body: JSON.stringify({ input, state, context: unitBody.context }),
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${text}`);
  return (JSON.parse(text) as { content: unknown }).content;
}

await serveStart(async (body) => {
  const { input } = body as { input: unknown };
  const state: Record<string, unknown> = {};
  for (const unit of ['a', 'b', 'c']) state[`output.${unit}`] = await call(input, state);
  return { status: 'completed', result: { state } };
});
