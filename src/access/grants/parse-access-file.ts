import { BUILT_IN_ROLES, isOwner, MAX_GRANTS, type Grant } from '../../engine/index.js';
import { weightOfJson } from '../../engine/json/exceeded-json-limit.js';
import { PERMISSIONS, type Permission } from '../../engine/vocabulary.js';
import { AccessRules, type GrantTo, type Recipient } from './access-rules.js';
import { grantFaults } from './grant-faults.js';

const LIMITS = { values: 200_000, keys: 100_000, levels: 6 };
const MAX_ROLES = 100;
const MAX_FILE_GRANTS = 10_000;
/** The others show once these are mended. */
const MAX_FAULTS = 20;
const ROLE_NAME = /^[a-z][a-z0-9-]{0,62}$/;

type JsonRecord = Readonly<Record<string, unknown>>;

/** What the text of an access file says; else what is wrong with it: sentences that begin with a place in it and say what to do. */
export function parseAccessFile(text: string): AccessRules | readonly string[] {
  const weight = weightOfJson(text, LIMITS);
  if (typeof weight === 'string')
    return [`it ${weight.replace(/:.*/, '')}: grant to groups in place of people`];
  const parsed = jsonOf(text);
  if (!isRecord(parsed)) return ['it is not a JSON object: write {"grants": [...]}'];
  const faults = [...unknownFields(parsed, ['roles', 'grants'], 'the file')];
  const roles = new Map([...BUILT_IN_ROLES, ...ownRoles(parsed['roles'], faults)]);
  const grants = grantsIn(parsed['grants'], roles, faults);
  return faults.length === 0 ? new AccessRules(roles, grants) : faults.slice(0, MAX_FAULTS);
}

function ownRoles(value: unknown, faults: string[]): readonly (readonly [string, readonly Permission[]])[] {
  if (value === undefined) return [];
  const entries = isRecord(value) ? Object.entries(value) : null;
  if (entries === null || entries.length > MAX_ROLES) {
    faults.push(`roles must be an object of at most ${MAX_ROLES} roles, each with a list of permissions`);
    return [];
  }
  return entries.flatMap(([name, permissions], index) => {
    const fault = roleFault(name, permissions);
    if (fault === null) return [[name, permissions as readonly Permission[]] as const];
    faults.push(`roles, number ${index + 1}: ${fault}`);
    return [];
  });
}

function roleFault(name: string, permissions: unknown): string | null {
  if (!ROLE_NAME.test(name))
    return 'its name must be a lower-case letter, then up to 62 lower-case letters, digits and dashes';
  if (BUILT_IN_ROLES.has(name)) return `${name} is built in: choose another name`;
  const known: readonly unknown[] = PERMISSIONS;
  const isList = Array.isArray(permissions) && permissions.length > 0;
  if (isList && permissions.every((each) => known.includes(each))) return null;
  return `${name} must have a list of one or more permissions of ${PERMISSIONS.join(', ')}`;
}

function grantsIn(value: unknown, roles: AccessRules['roles'], faults: string[]): readonly GrantTo[] {
  if (!Array.isArray(value) || value.length > MAX_FILE_GRANTS) {
    faults.push(`grants must be a list of at most ${MAX_FILE_GRANTS} grants`);
    return [];
  }
  const counts = new Map<string, number>();
  return value.flatMap((entry: unknown, index) => {
    const where = `grants, number ${index + 1}`;
    if (!isRecord(entry)) {
      faults.push(`${where} must be an object with to, namespace and roles`);
      return [];
    }
    const before = faults.length;
    faults.push(...unknownFields(entry, ['to', 'namespace', 'roles', 'workflows'], where));
    for (const { field, message } of grantFaults(entry, roles)) faults.push(`${where}: ${field} ${message}`);
    const to = recipientOf(entry['to']);
    if (to === null)
      faults.push(
        `${where}: to must be {"owner": ...} or {"group": ...}, a name of 1 to 256 characters (NFC, no control characters)`,
      );
    else {
      const recipient = JSON.stringify(to);
      const count = (counts.get(recipient) ?? 0) + 1;
      counts.set(recipient, count);
      if (count === MAX_GRANTS + 1)
        faults.push(`${where}: more than ${MAX_GRANTS} grants have the same to: grant to several groups`);
    }
    if (to === null || faults.length > before) return [];
    const { to: _, ...grant } = entry;
    return [{ to, grant: grant as unknown as Grant }];
  });
}

function recipientOf(value: unknown): Recipient | null {
  if (!isRecord(value) || Object.keys(value).length !== 1) return null;
  const { owner, group } = value;
  if (isOwner(owner)) return { owner };
  return isOwner(group) ? { group } : null;
}

function unknownFields(value: JsonRecord, known: readonly string[], where: string): readonly string[] {
  const isMeant = Object.keys(value).every((key) => known.includes(key));
  return isMeant ? [] : [`${where} has a field that means nothing: write only ${known.join(', ')}`];
}

function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function jsonOf(text: string): unknown {
  try {
    // An editor may have put a byte order mark in front.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}
