import type { ApiKey, MadeKey } from 'flowgate-client';
import { LIST_PAGE } from '../../../engine/request-limits.js';
import { UsageError } from '../../command-errors.js';
import { EXIT } from '../../exit-code.js';
import { comingInstant, lengthOf } from '../../input/instants.js';
import { ageText } from '../../terminal/age.js';
import type { Column } from '../../terminal/fitted-table.js';
import { note, print } from '../../terminal/output.js';
import { oneLine } from '../../terminal/printable.js';
import { checkedLimit, columnsOf, instantText, listed } from '../output/listed.js';
import { showValue } from '../output/shown.js';
import { asking } from '../server/asking.js';
import { askedFormat, type OutputArguments } from '../server/output-format.js';
import type { ServerArguments } from '../server/server-options.js';
import { TOKEN_VARIABLE } from '../server/token.js';
import { grantsOf, grantText } from './grants.js';

export type KeyAction = 'list' | 'make' | 'rotate' | 'revoke';

export interface KeysArguments extends ServerArguments, OutputArguments {
  readonly action: KeyAction;
  readonly keyId?: string | undefined;
  readonly owner?: string | undefined;
  readonly name?: string | undefined;
  readonly group?: readonly string[] | undefined;
  readonly grant?: readonly string[] | undefined;
  readonly expires?: string | undefined;
  readonly overlap?: string | undefined;
  readonly limit: number;
}

/** Which of the options an action has; those of every command that asks a server are not here. */
const OPTIONS: Readonly<Record<KeyAction, readonly (keyof KeysArguments)[]>> = {
  list: ['owner'],
  make: ['owner', 'name', 'group', 'grant', 'expires'],
  rotate: ['overlap'],
  revoke: ['owner'],
};
const HEADINGS = ['KEY', 'OWNER', 'GRANTS', 'EXPIRES', 'LAST USED', ''];

/** Lists, makes, rotates or revokes API keys. */
export function keys(given: KeysArguments): Promise<number> {
  refuseOthers(given);
  switch (given.action) {
    case 'list':
      return list(given);
    case 'make':
      return make(given);
    case 'rotate':
      return rotate(given);
    case 'revoke':
      return revoke(given);
  }
}

async function list(given: KeysArguments): Promise<number> {
  const { owner } = given;
  const limit = checkedLimit(given.limit);
  await asking(given, (client, signal) =>
    listed({
      items: client.eachKey({ owner, limit: Math.min(limit, LIST_PAGE.most), signal }),
      headings: HEADINGS,
      rowOf,
      columns: columnsAt(Date.now()),
      wide: columnsOf([...HEADINGS.slice(0, -1), 'NAME'], rowOf, []),
      limit,
      asked: given,
    }),
  );
  return EXIT.done;
}

async function make(given: KeysArguments): Promise<number> {
  const { owner, name, group } = given;
  const grants = grantsOf(given.grant);
  const expiresAt = comingInstant('expires', given.expires);
  const made = await asking(given, (client, signal) =>
    client.makeKey({ owner, name, groups: group, grants, expiresAt, signal }),
  );
  await showSecret(made, given);
  return EXIT.done;
}

async function rotate(given: KeysArguments): Promise<number> {
  const id = idIn(given);
  const overlapMs = lengthOf('overlap', given.overlap);
  await showSecret(
    await asking(given, (client, signal) => client.rotateKey(id, { overlapMs, signal })),
    given,
  );
  return EXIT.done;
}

/** A key, or all that an owner has. */
async function revoke(given: KeysArguments): Promise<number> {
  const { keyId, owner } = given;
  if (owner !== undefined && keyId !== undefined)
    throw new UsageError('A key and --owner are given: name one key, or the owner of whom all is revoked.');
  if (owner === undefined) {
    const id = idIn(given);
    await asking(given, (client, signal) => client.revokeKey(id, { signal }));
    note(`The key ${oneLine(id)} is good for nothing any more, nor are those that it made.`);
    return EXIT.done;
  }
  await asking(given, (client, signal) => client.revokeOwner(owner, { signal }));
  note(`No key of ${oneLine(owner)} is good any more, nor any token that was issued to them until now.`);
  return EXIT.done;
}

/** The secret goes to stdout, this once, and nowhere else. */
async function showSecret(made: MadeKey, given: KeysArguments): Promise<void> {
  const { key, secret } = made;
  const isRecord = ['json', 'yaml'].includes(askedFormat(given) ?? '');
  if (isRecord) await showValue(made, given);
  else await print(secret);
  note(
    `The key ${key.id} of ${oneLine(key.owner)}, until ${instantText(key.expiresAt)}. Its secret is shown this once: keep it, ` +
      `and give it to commands in ${TOKEN_VARIABLE} or by --token-file.`,
  );
}

function idIn({ action, keyId }: KeysArguments): string {
  if (keyId !== undefined && keyId !== '') return keyId;
  throw new UsageError(
    `<keyId> is missing: write flowgate keys ${action} <keyId> (flowgate keys lists them).`,
  );
}

function refuseOthers(given: KeysArguments): void {
  const { action, keyId } = given;
  if (keyId !== undefined && (action === 'list' || action === 'make'))
    throw new UsageError(`flowgate keys ${action} takes no key: leave ${oneLine(keyId, 60)} out.`);
  for (const name of new Set(Object.values(OPTIONS).flat())) {
    if (given[name] !== undefined && !OPTIONS[action].includes(name))
      throw new UsageError(`--${name} is no option of flowgate keys ${action}: leave it out.`);
  }
}

function rowOf({ id, owner, grants, expiresAt, lastUsedAt, name }: ApiKey): readonly string[] {
  const used = lastUsedAt === null ? '' : instantText(lastUsedAt);
  return [id, owner, grants.map(grantText).join(' '), instantText(expiresAt), used, name ?? ''];
}

/** The columns of keys on a terminal; `now`: epoch ms. */
function columnsAt(now: number): readonly Column<ApiKey>[] {
  return [
    { heading: 'KEY', cell: ({ id }) => id },
    { heading: 'OWNER', cell: ({ owner }) => owner, givesWay: true },
    { heading: 'NAME', cell: ({ name }) => name ?? '', givesWay: true },
    { heading: 'GRANTS', cell: ({ grants }) => grants.map(grantText).join(' '), givesWay: true },
    { heading: 'EXPIRES', cell: ({ expiresAt }) => `in ${ageText(expiresAt - now)}` },
    {
      heading: 'USED',
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? '' : `${ageText(now - lastUsedAt)} ago`),
    },
    { heading: 'STATE', cell: ({ revokedAt }) => (revokedAt === null ? '' : 'revoked'), tone: () => 'faint' },
  ];
}
