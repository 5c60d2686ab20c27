import { isOwner, type Grant } from '../../engine/index.js';
import { InvalidRequestError } from '../../errors/request-errors.js';
import { ShapePipe } from '../../http/validation/shape.pipe.js';
import type { MakeKeyRequest } from '../api-keys.js';
import { KeyGrantDto, MakeKeyDto, TEXT_BOUNDS } from './dto/make-key.dto.js';
import { RotateKeyDto } from './dto/rotate-key.dto.js';

/** Where tokens alone say who is asking. */
export const NO_KEYS = 'There are no API keys here: FLOWGATE_AUTH does not name keys';

/** What is misspelt must never be left out: the key could do more than was meant. */
const refuseUnknown = (): string => 'is no field here: leave it out';

const keyShape = new ShapePipe(MakeKeyDto, null, refuseUnknown);
const grantShape = new ShapePipe(KeyGrantDto, null, refuseUnknown);
const rotationShape = new ShapePipe(RotateKeyDto, null, refuseUnknown);
const OVER_HTTP = { via: 'http' } as const;

/** The body of `POST /keys`. Throws an `InvalidRequestError`. */
export function makeKeyRequestIn(body: unknown): MakeKeyRequest {
  const { owner, name, groups, grants, expiresAt } = keyShape.transform(body, OVER_HTTP);
  if (owner !== undefined) assertOwner(owner);
  return {
    owner,
    name,
    groups: groups === undefined ? undefined : textsIn(groups, 'groups'),
    grants: grants?.map((grant, index) => grantIn(grant, `grants[${index}]`)),
    expiresAt,
  };
}

/** The body of `POST /keys/:id/rotate`. Throws an `InvalidRequestError`. */
export function rotationIn(body: unknown): { readonly overlapMs?: number | undefined } {
  const { overlapMs } = rotationShape.transform(body, OVER_HTTP);
  return { overlapMs };
}

/** Throws an `InvalidRequestError` for what can be nobody's account. */
export function assertOwner(text: string): void {
  if (!isOwner(text))
    throw new InvalidRequestError(
      'owner must be 1 to 256 characters without control characters, in the normal form C of Unicode',
    );
}

function grantIn(given: unknown, at: string): Grant {
  let grant: KeyGrantDto;
  try {
    grant = grantShape.transform(given, OVER_HTTP);
  } catch (error) {
    if (error instanceof InvalidRequestError) throw new InvalidRequestError(`${at}: ${error.message}`);
    throw error;
  }
  const { namespace, roles, workflows } = grant;
  return {
    namespace,
    roles: textsIn(roles, 'roles', at),
    ...(workflows === undefined ? {} : { workflows: textsIn(workflows, 'workflows', at) }),
  };
}

function textsIn(given: readonly unknown[], field: keyof typeof TEXT_BOUNDS, at?: string): readonly string[] {
  const most = TEXT_BOUNDS[field];
  const isText = (one: unknown): one is string => typeof one === 'string' && one !== '' && one.length <= most;
  if (given.every(isText)) return given;
  const where = at === undefined ? field : `${at}.${field}`;
  throw new InvalidRequestError(`${where} must hold texts of 1 to ${most} characters`);
}
