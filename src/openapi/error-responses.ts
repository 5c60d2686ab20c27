import { statusesOfCodes, type StatusKind } from '../errors/http-status.js';
import { ErrorSchema } from './schemas/error-schema.js';
import { refTo } from './schema-class.js';

/** The refusals of an operation. */
export interface Refusals {
  /** Codes of its own, in addition to those of every operation. */
  readonly codes?: readonly string[];
  /** Whether something changes: it reads a body, and refuses the calls of units. */
  readonly changes?: boolean;
  /** Unknown subjects are 404, whatever the kind of statuses. */
  readonly reads?: boolean;
  /** Whether the store is used. Default true. */
  readonly stored?: boolean;
  /** Whether the path contains ids, with which it may also match no route (`not-found`). */
  readonly hasIds?: boolean;
  /** Whether everyone may call it, whoever they are. Default false. */
  readonly isOpen?: boolean;
}

/** Codes that come before the operation is known. */
const OF_EVERY_OPERATION = [
  'invalid-request',
  'malformed-http',
  'foreign-host',
  'method-not-allowed',
  'request-timeout',
  'expectation',
  'head-too-large',
  'internal',
];
/** Codes of what asks who is asking. */
const OF_GUARDED = ['unauthorized', 'forbidden', 'auth-unavailable', 'busy', 'too-many-requests'];
const OF_CHANGES = ['malformed-json', 'self-call', 'foreign-page', 'body-too-large', 'uploads-full'];
const OF_IDS = ['not-found'];
/** Codes of every use of the store. */
const OF_STORED = ['store', 'unreadable-event', 'unreadable-plan', 'sealed', 'shutting-down'];
const NOT_FOUND_WHERE_READ = ['unknown-run', 'unknown-workflow', 'no-checkpoint'];

export function everyCodeOf({
  codes = [],
  changes = false,
  reads = false,
  hasIds = false,
  stored = true,
  isOpen = false,
}: Refusals): {
  readonly codes: readonly string[];
  readonly reads: boolean;
} {
  return {
    codes: [
      ...OF_EVERY_OPERATION,
      ...(isOpen ? [] : OF_GUARDED),
      ...(stored ? OF_STORED : []),
      ...(changes ? OF_CHANGES : []),
      ...(hasIds ? OF_IDS : []),
      ...codes,
    ],
    reads,
  };
}

/** One response for each status, with the codes that it can carry. */
export function responsesOfCodes(
  { codes, reads }: ReturnType<typeof everyCodeOf>,
  kinds: readonly StatusKind[],
): Readonly<Record<string, object>> {
  const byStatus = new Map<number, string[]>();
  for (const kind of kinds) {
    const statuses = statusesOfCodes(kind);
    for (const code of codes) {
      const isRead = reads && NOT_FOUND_WHERE_READ.includes(code);
      for (const status of isRead ? [404] : statusesOf(code, statuses.get(code) ?? 500)) {
        const ofStatus = byStatus.get(status) ?? [];
        byStatus.set(status, ofStatus);
        if (!ofStatus.includes(code)) ofStatus.push(code);
      }
    }
  }
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([one], [other]) => one - other)
      .map(([status, found]) => [status, responseOf(status, found)]),
  );
}

/** `store` is 500 instead if a retry would fail again. */
function statusesOf(code: string, status: number): readonly number[] {
  return code === 'store' ? [status, 500] : [status];
}

function responseOf(status: number, codes: readonly string[]): object {
  const headers = {
    ...(status === 401 ? CHALLENGE : {}),
    ...(status === 405 ? ALLOW : {}),
    ...(status !== 500 && codes.some((code) => SAYS_WHEN.has(code)) ? RETRY_AFTER : {}),
  };
  const schema = { allOf: [refTo(ErrorSchema), { type: 'object', properties: { code: { enum: codes } } }] };
  return {
    description: `Refused: ${codes.map((code) => `\`${code}\``).join(', ')}`,
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    content: { 'application/json': { schema } },
  };
}

const CHALLENGE = {
  'WWW-Authenticate': { description: '`Bearer`', required: true, schema: { type: 'string' } },
};
const ALLOW = {
  Allow: { description: 'The methods of this path', required: true, schema: { type: 'string' } },
};
const SAYS_WHEN: ReadonlySet<string> = new Set([
  'uploads-full',
  'streams-full',
  'store',
  'namespace-full',
  'too-many-requests',
]);
const RETRY_AFTER = {
  'Retry-After': {
    description:
      'With `uploads-full`, `streams-full`, `store`, `namespace-full` and `too-many-requests`: seconds after which to send it again',
    schema: { type: 'integer', minimum: 1 },
  },
};
