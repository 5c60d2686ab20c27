import fc from 'fast-check';
import type { JsonObject } from '../../../src/engine/index.js';
import { FlowWriter, flows } from './flow-arbitrary.js';
import { sizes } from './json-arbitrary.js';
import { inputsAndSchemas } from './schema-arbitrary.js';

/** One workflow and one run of it. */
export interface FuzzCase {
  readonly workflowId: string;
  readonly yaml: string;
  readonly input: JsonObject;
  /** What the caller does at each stop, in turn: approve, reject, resume, or go back to an earlier checkpoint. */
  readonly moves: readonly Move[];
}

export type Move = 'approve' | 'reject' | 'resume' | 'rewind';

const policies = fc.constantFrom<JsonObject>(
  { retry: { baseMs: 0 } },
  { retry: { baseMs: 0 } },
  { retry: { maxAttempts: 1 }, concurrency: { maxParallelUnits: 1 } },
  { retry: { maxAttempts: 1 }, concurrency: { maxParallelUnits: 10_000 }, timeout: { workflowMs: 50 } },
);

/** What a text editor, or an enemy, does to a document. */
const scratches = fc.oneof(
  { weight: 15, arbitrary: fc.constant(null) },
  {
    weight: 1,
    arbitrary: fc.record({
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      dropped: fc.nat(3),
      put: fc.tuple(
        fc.constantFrom('', '[', '{', '"', ': ', '&a ', '*a ', '\n', '- ', '!!x ', '\u0000', '__proto__'),
        sizes(2_000),
      ),
    }),
  },
);

export const fuzzCases: fc.Arbitrary<FuzzCase> = fc
  .record({
    slot: fc.nat(40),
    flow: flows,
    policy: policies,
    given: inputsAndSchemas,
    scratch: scratches,
    moves: fc.array(fc.constantFrom<Move>('approve', 'approve', 'reject', 'resume', 'rewind'), {
      maxLength: 5,
    }),
  })
  .map(({ slot, flow, policy, given, scratch, moves }) => {
    // The same ids come again: a registration replaces the one before.
    const workflowId = `fuzz-${slot}`;
    const writer = new FlowWriter();
    const written = writer.write(flow);
    const units = writer.units.length === 0 ? [{ id: 'u0', uses: 'builtin.mock' }] : writer.units;
    const spec = { policy, units, flow: written, ...(given.schema === null ? {} : { input: given.schema }) };
    const text = JSON.stringify({
      apiVersion: 'flowgate/v1',
      kind: 'Workflow',
      metadata: { id: workflowId },
      spec,
    });
    if (scratch === null) return { workflowId, yaml: text, input: given.input, moves };
    const at = Math.floor(scratch.share * text.length);
    const [piece, times] = scratch.put;
    const yaml = text.slice(0, at) + piece.repeat(times) + text.slice(at + scratch.dropped);
    return { workflowId, yaml, input: given.input, moves };
  });
