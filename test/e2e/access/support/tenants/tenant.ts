import type { Answer, Body, Service } from '../../../../support/service.js';
import { bearer } from '../../../../support/first-key.js';
import { watch, type Watched } from '../../../../support/event-stream.js';
import { MaskedAnswers } from './masked-answers.js';

export interface RunName {
  readonly workflowId: string;
  readonly runId: string;
}

/** What a tenant has learned, by which another one may ask for it. */
export interface Learned {
  readonly runs: RunName[];
  readonly keys: string[];
  readonly hashes: string[];
  readonly secrets: string[];
  readonly cursors: string[];
  readonly eventIds: string[];
  readonly sessions: string[];
  readonly exports: string[];
}

const nothing = (): Learned => ({
  runs: [],
  keys: [],
  hashes: [],
  secrets: [],
  cursors: [],
  eventIds: [],
  sessions: [],
  exports: [],
});

/** What stands for the other tenant's where there is none: of the same form, and nobody's. */
const NOBODYS: Readonly<Record<Exclude<keyof Learned, 'runs' | 'exports' | 'hashes'>, string>> = {
  keys: 'aaaaaaaaaaaaaaaa',
  secrets: `fgk_aaaaaaaaaaaaaaaa_${'a'.repeat(43)}`,
  cursors: 'bm9ib2R5cw',
  eventIds: 'AAAAAAAAAAAAAAAAAAAAAA',
  sessions: '00000000-0000-4000-8000-00000000000a',
};
const NOT_MINE = '<not mine>';
const NOBODYS_RUN = '00000000-0000-4000-8000-000000000000';

/** An open stream, and what is not compared until it is closed. */
export interface HeldStream {
  readonly path: string;
  readonly stream: Watched;
}

/** Somebody with a namespace of their own, who remembers what they were answered. */
export class Tenant {
  readonly learned = nothing();
  readonly answers: unknown[] = [];
  readonly mask = new MaskedAnswers();
  held: HeldStream | null = null;

  constructor(
    readonly namespace: string,
    readonly secret: string,
    private readonly service: () => Service,
    /** Null: the other one does not exist. */
    private readonly other: () => Tenant | null,
  ) {
    for (const nobodys of [NOBODYS_RUN, ...Object.values(NOBODYS)]) this.mask.name(nobodys, NOT_MINE);
  }

  async call(method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) {
    const sent = { headers: { ...bearer(this.secret), ...headers }, ...(body === undefined ? {} : { body }) };
    const answer = await this.service().call(method, path, sent);
    this.learn(answer);
    return answer;
  }

  /** As `call`, for what is looked at on the way: how often depends on the machine, and so nothing is learned of it. */
  look(path: string): Promise<Answer> {
    return this.service().call('GET', path, { headers: bearer(this.secret) });
  }

  async stream(path: string, lastId?: string): Promise<Watched> {
    const headers = bearer(this.secret);
    return watch(this.service().url + path, { headers, ...(lastId === undefined ? {} : { lastId }) });
  }

  tell(what: unknown): void {
    this.answers.push(this.mask.masked(what));
  }

  /** One of its own runs, or, every fourth time, one of the other tenant. */
  run(number: number): RunName {
    if (number % 4 !== 3)
      return pick(this.learned.runs, number) ?? { workflowId: 'shared', runId: NOBODYS_RUN };
    const found = pick(this.other()?.learned.runs ?? [], number) ?? null;
    const runId = found?.runId ?? NOBODYS_RUN;
    this.mask.name(runId, NOT_MINE);
    // Both have the same workflows.
    return { workflowId: WORKFLOWS[number % WORKFLOWS.length] ?? 'shared', runId };
  }

  /** The hash of a document that it has registered: the other's are the same. */
  hash(number: number): string {
    return pick(this.learned.hashes, number) ?? '0'.repeat(64);
  }

  /** As `run`, for whatever is named by one text. */
  own(what: keyof typeof NOBODYS, number: number): string {
    if (number % 4 !== 3) return pick(this.learned[what], number) ?? NOBODYS[what];
    const foreign = pick(this.other()?.learned[what] ?? [], number) ?? NOBODYS[what];
    this.mask.name(foreign, NOT_MINE);
    return foreign;
  }

  /** The log of one of its own runs; empty: it has none yet. */
  exported(number: number): string {
    return pick(this.learned.exports, number) ?? '';
  }

  private learn({ body, headers, text }: Answer): void {
    const { runs, keys, secrets, cursors, sessions, exports, hashes } = this.learned;
    const hash: unknown = body?.definitionHash;
    if (typeof hash === 'string' && !hashes.includes(hash)) hashes.push(hash);
    for (const record of recordsIn(body)) {
      if (!runs.some(({ runId }) => runId === record.runId)) runs.push(record);
    }
    if (typeof body?.key?.id === 'string' && !keys.includes(body.key.id as string)) {
      keys.push(body.key.id as string);
      this.mask.name(body.key.id as string, `<key ${keys.length}>`);
    }
    if (typeof body?.secret === 'string') secrets.push(body.secret as string);
    if (typeof body?.next === 'string') cursors.push(body.next as string);
    const session = headers['mcp-session-id'];
    if (typeof session === 'string' && !sessions.includes(session)) sessions.push(session);
    if (headers['content-type']?.includes('ndjson') === true && text !== '') exports.push(text);
  }
}

const WORKFLOWS = ['shared', 'quick', 'parent'] as const;

function pick<T>(from: readonly T[], number: number): T | undefined {
  return from[number % from.length];
}

/** Runs that an answer is about: a record, or the items of a list. */
function recordsIn(body: Body): readonly RunName[] {
  const found = Array.isArray(body?.items) ? (body.items as readonly Body[]) : [body];
  return found.flatMap((one) =>
    typeof one?.runId === 'string' && typeof one.workflowId === 'string'
      ? [{ workflowId: one.workflowId as string, runId: one.runId as string }]
      : [],
  );
}
