import { document, mock } from '../support/workflow-documents.js';
import type { Reply } from './support/attacker.js';
import { numbers } from './support/hostile-documents.js';
import { besiege } from './support/siege.js';

const TWO_MEGABYTES = 2_000_000;
const EXPRESSION = 9_900;

/** Expressions as long as they may be, as many as fit into a document. */
function expressions(id: string, piece: (n: number) => string): string {
  const units: object[] = [];
  for (let length = 0; length < TWO_MEGABYTES - 15_000;) {
    const pieces: string[] = [];
    for (let chars = 0; chars < EXPRESSION; chars += pieces.at(-1)!.length + 4)
      pieces.push(piece(pieces.length));
    pieces.pop();
    const unit = { id: `u${units.length}`, uses: 'builtin.mock', if: pieces.join(' || ') };
    units.push(unit);
    length += JSON.stringify(unit).length + 8;
  }
  return document(id, units);
}

const brackets = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)} == [2]`;
const maps = (levels: number) =>
  `${numbers(levels).reduce((inner, n) => `[1].map(v${n}, ${inner})`, '[2]')} == [3]`;

/** The responses that a caller can do nothing with. */
function problemsOf(replies: readonly (readonly [name: string, reply: Reply])[]): string[] {
  return replies.flatMap(([name, { status, body, text }]) => {
    const isNamed = status === 201 || (status >= 400 && typeof body['error'] === 'string');
    const isRight = isNamed && status !== 500 && text.length < 1_000_000;
    return isRight ? [] : [`${name}: ${status} ${text.slice(0, 200)}`];
  });
}

describe('documents that are hard to read: nobody else notices', () => {
  it('two megabytes of nested expressions, six times', async () => {
    const faults = await besiege('nested expressions', {
      watchMs: 5_000,
      attack: async ({ attacker, isOver }) => {
        const kinds = [
          expressions('brackets', () => brackets(30)),
          expressions('maps', () => maps(12)),
          expressions('short', (n) => `${n} > 1`),
        ];
        const replies: (readonly [string, Reply])[] = [];
        for (const n of numbers(6)) {
          if (isOver()) break;
          const yaml = kinds[n % kinds.length]!.replace('"metadata":{"id":"', `"metadata":{"id":"n${n}-`);
          replies.push([`document ${n}`, await attacker.register(yaml)]);
        }
        expect(problemsOf(replies)).toEqual([]);
      },
    });
    expect(faults).toEqual([]);
  });

  it('two megabytes of one token of YAML', async () => {
    const faults = await besiege('one token of YAML', {
      watchMs: 5_000,
      attack: async ({ attacker, isOver }) => {
        const tokens = [
          '[',
          '{',
          '- ',
          '? ',
          '&a ',
          '*a ',
          '!',
          '"',
          "'",
          '|',
          '>',
          '%',
          ': ',
          'a: ',
          '\t',
          '#',
        ];
        const more = [
          '[]',
          '{a: ',
          '[a, ',
          '- - ',
          '\n',
          '\n- ',
          '\n? ',
          '\n&a ',
          '--- ',
          '\r',
          '\\',
          '!!map ',
          ',',
        ];
        const replies: (readonly [string, Reply])[] = [];
        for (const token of [...tokens, ...more]) {
          if (isOver()) break;
          const yaml = token.repeat(TWO_MEGABYTES / token.length);
          replies.push([JSON.stringify(token), await attacker.register(yaml)]);
        }
        expect(problemsOf(replies)).toEqual([]);
        expect(replies.filter(([, { status }]) => status === 201)).toEqual([]);
      },
    });
    expect(faults).toEqual([]);
  });

  it('thousands of distinct workflows', async () => {
    const faults = await besiege('registrations without an end', {
      watchMs: 5_000,
      attack: async ({ attacker, isOver }) => {
        const units = numbers(40).map((n) => mock(`u${n}`, 'x'.repeat(400), { if: `run.runId != "${n}"` }));
        let at = 0;
        const replies: (readonly [string, Reply])[] = [];
        await Promise.all(
          numbers(4).map(async () => {
            while (!isOver() && at < 20_000) {
              at += 1;
              const reply = await attacker.register(document(`distinct-${at}`, units));
              // A request that was in flight when the service was killed has no response.
              if (reply.status !== 0 && reply.status !== 201) replies.push([`registration ${at}`, reply]);
            }
          }),
        );
        expect(problemsOf(replies)).toEqual([]);
      },
    });
    expect(faults).toEqual([]);
  });

  it('an input schema that branches in two at every level', async () => {
    const faults = await besiege('an exponential schema', {
      attack: async ({ attacker, isOver }) => {
        for (const [keyword, levels] of [
          ['anyOf', 22],
          ['oneOf', 30],
          ['allOf', 26],
          ['anyOf', 60],
        ] as const) {
          const $defs: Record<string, object> = {};
          for (const n of numbers(levels)) {
            const next = { $ref: `#/$defs/d${n + 1}` };
            $defs[`d${n}`] = { [keyword]: [next, next] };
          }
          $defs[`d${levels}`] = { type: 'string' };
          const id = `schema-${keyword}-${levels}`;
          const input = { $defs, properties: { x: { $ref: '#/$defs/d0' } } };
          const { status } = await attacker.register(document(id, [mock('a', 1)], { input }));
          expect([201, 400]).toContain(status);
          if (status !== 201) continue;
          const sent = await attacker.post(`/workflows/${id}/runs`, { input: { x: 1 }, sync: true });
          // An input that no branch accepts is refused, one way or another.
          if (!isOver()) expect([id, sent.status]).toEqual([id, 400]);
        }
      },
    });
    expect(faults).toEqual([]);
  });
});
