import { MAX_GRANTED_WORKFLOWS, type Roles } from '../../engine/index.js';
import { isNamespace } from '../../engine/core/namespace.js';

/** No workflow has a longer id. */
const MAX_PATTERN_CHARS = 256;

/** A grant as it was sent or written: of its fields nothing is known. */
export interface UncheckedGrant {
  readonly namespace?: unknown;
  readonly roles?: unknown;
  readonly workflows?: unknown;
}

export interface GrantFault {
  /** The field of the grant. */
  readonly field: 'namespace' | 'roles' | 'workflows';
  /** Follows the place of the field, and says what to write. */
  readonly message: string;
}

/** What is wrong with a grant; none: it is a `Grant`. */
export function grantFaults(grant: UncheckedGrant, roles: Roles): readonly GrantFault[] {
  const faults: GrantFault[] = [];
  const { namespace, workflows } = grant;
  if (typeof namespace !== 'string' || !(namespace === '*' || isNamespace(namespace)))
    faults.push({
      field: 'namespace',
      message:
        'must be a namespace (a lower-case letter, then up to 62 lower-case letters, digits and dashes) or * for all',
    });
  if (!isListOf(grant.roles, (role) => roles.has(role), roles.size))
    faults.push({
      field: 'roles',
      message: `must be a list of one or more roles, each once, of ${[...roles.keys()].join(', ')}`,
    });
  if (workflows !== undefined && !isListOf(workflows, isPattern, MAX_GRANTED_WORKFLOWS))
    faults.push({
      field: 'workflows',
      message: `must be left out for all workflows, or be a list of 1 to ${MAX_GRANTED_WORKFLOWS} ids, each once, with at most one *, at the end`,
    });
  return faults;
}

function isPattern(text: string): boolean {
  return /^[^*\p{Cc}]*\*?$/u.test(text) && text !== '' && text.length <= MAX_PATTERN_CHARS;
}

function isListOf(value: unknown, isOne: (text: string) => boolean, most: number): boolean {
  if (!Array.isArray(value) || value.length === 0 || value.length > most) return false;
  return (
    value.every((each) => typeof each === 'string' && isOne(each)) && new Set(value).size === value.length
  );
}
