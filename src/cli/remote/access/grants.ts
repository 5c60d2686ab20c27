import type { KeyGrant } from 'flowgate-client';
import { UsageError } from '../../command-errors.js';
import { oneLine } from '../../terminal/printable.js';

/** `namespace:roles`, and `:workflows` where it is not all of them; roles and workflows are separated by commas. */
const GRANT = /^([^:]+):([^:]+)(?::(.+))?$/s;

/** Reads each `--grant`; undefined if none is given. Throws a `UsageError`. */
export function grantsOf(given: readonly string[] | undefined): readonly KeyGrant[] | undefined {
  return given?.map(grantOf);
}

/** As `--grant` has it. */
export function grantText({ namespace, roles, workflows }: KeyGrant): string {
  const bounds = workflows === undefined ? '' : `:${workflows.join(',')}`;
  return `${namespace}:${roles.join(',')}${bounds}`;
}

function grantOf(text: string): KeyGrant {
  const [, namespace, roles, workflows] = GRANT.exec(text) ?? [];
  if (namespace === undefined || roles === undefined)
    throw new UsageError(
      `--grant ${oneLine(text, 60)} is no grant: write --grant billing:operator, or --grant 'billing:operator,approver:invoice-*' for some workflows alone.`,
    );
  const bounds = workflows === undefined ? {} : { workflows: wordsIn(workflows) };
  return { namespace, roles: wordsIn(roles), ...bounds };
}

function wordsIn(text: string): readonly string[] {
  return text.split(',').map((word) => word.trim());
}
