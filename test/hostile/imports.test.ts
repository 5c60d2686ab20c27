import { createHash } from 'node:crypto';
import { document } from '../support/workflow-documents.js';
import type { Attacker } from './support/attacker.js';
import { numbers } from './support/hostile-documents.js';
import { besiege } from './support/siege.js';

const NDJSON = { 'content-type': 'application/x-ndjson' };

/** An export with a new checksum, which anybody can compute. */
function sealed(lines: readonly string[]): string {
  const text = lines.map((line) => `${line}\n`).join('');
  const sha256 = createHash('sha256').update(text).digest('hex');
  return `${text}${JSON.stringify({ lastSeq: lines.length - 1, sha256 })}\n`;
}

/** The header and the events of a run that has ended, from the service itself. */
async function honest(attacker: Attacker, units: number): Promise<readonly string[]> {
  await attacker.register(
    document(
      'exported',
      numbers(units).map((n) => ({ id: `u${n}`, uses: 'builtin.mock' })),
    ),
  );
  const { body } = await attacker.post('/workflows/exported/runs', { sync: true });
  const { text } = await attacker.get(`/workflows/exported/runs/${String(body['runId'])}/export`);
  return text.trimEnd().split('\n').slice(0, -1);
}

const withOutput = (line: string, output: unknown): string =>
  line.includes('"type":"unit-finished"')
    ? JSON.stringify({ ...(JSON.parse(line) as object), output })
    : line;

/** The export under another id, so that the run is unknown. */
const renamed = (lines: readonly string[], runId: string): readonly string[] =>
  lines.map((line, index) => (index > 1 ? line : JSON.stringify({ ...(JSON.parse(line) as object), runId })));

describe('importing what is large: nobody else notices', () => {
  it('seven events of a million zeros, again and again', async () => {
    const statuses: number[] = [];
    const faults = await besiege('a million zeros', {
      watchMs: 6_000,
      attack: async ({ attacker, isOver }) => {
        const zeros = Array<number>(1_000_000).fill(0);
        const lines = (await honest(attacker, 7)).map((line) => withOutput(line, zeros));
        const body = sealed(renamed(lines, 'zeros'));
        const send = async (): Promise<void> => {
          statuses.push((await attacker.send('POST', '/runs/import', body, NDJSON)).status);
        };
        await send();
        void (async () => {
          while (!isOver()) await send();
        })();
      },
    });
    expect(faults).toEqual([]);
    expect(statuses).toContain(400);
    expect(statuses).not.toContain(201);
  });

  it('as many values as are accepted, one export after the other', async () => {
    const statuses: number[] = [];
    const faults = await besiege('as many values as are taken', {
      mostMib: 1_024,
      watchMs: 6_000,
      attack: async ({ attacker, isOver }) => {
        const zeros = Array<number>(69_000).fill(0);
        const lines = (await honest(attacker, 7)).map((line) => withOutput(line, zeros));
        const send = async (n: number): Promise<void> => {
          const body = sealed(renamed(lines, `values-${n}`));
          statuses.push((await attacker.send('POST', '/runs/import', body, NDJSON)).status);
        };
        await send(0);
        void (async () => {
          for (let n = 1; !isOver(); n += 1) await send(n);
        })();
      },
    });
    expect(faults).toEqual([]);
    expect(statuses).toContain(201);
  });
});
