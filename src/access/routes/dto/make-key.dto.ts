import { Type } from 'class-transformer';
import { MAX_GRANTED_WORKFLOWS, MAX_GRANTS, MAX_GROUPS } from '../../../engine/index.js';
import {
  ArrayMaxSize,
  IsArray,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Matches,
  Min,
} from '../../../http/validation/class-validator.js';
import { BodySchema } from '../../../openapi/body-schema.js';

// \p{Cc}, in a form that those who read the published schema know as well.
// oxlint-disable-next-line no-control-regex -- it names them to keep them out
const NO_CONTROLS = /^[^\u0000-\u001F\u007F-\u009F]*$/u;
const MAX_CHARS = 256;
const MAX_ROLES = 50;
const NAMESPACE =
  'namespace must be *, or a lower-case letter, then up to 62 lower-case letters, digits or dashes';
const ROLES = `roles must be a list of at most ${MAX_ROLES} names`;
const WORKFLOWS = `workflows must be a list of at most ${MAX_GRANTED_WORKFLOWS} ids, each of which may end in *`;
const OWNER = `owner must be 1 to ${MAX_CHARS} characters without control characters`;
const NAME = `name must be 1 to ${MAX_CHARS} characters without control characters`;
const GROUPS = `groups must be a list of at most ${MAX_GROUPS} names`;
const GRANTS = `grants must be a list of at most ${MAX_GRANTS} grants, each { namespace, roles, workflows }`;
const EXPIRES_AT = 'expiresAt must be epoch milliseconds';

/** One of the grants in the body of `POST /keys`. */
@BodySchema('KeyGrant', {
  namespace: 'A namespace, or `*` for each of them and for what belongs to none',
  roles: 'The names of roles',
  workflows: 'Ids of workflows, each of which may end in `*`: only these are addressed. Default: all',
})
export class KeyGrantDto {
  @IsString({ message: NAMESPACE })
  @Matches(/^(\*|[a-z][a-z0-9-]{0,62})$/, { message: NAMESPACE })
  readonly namespace!: string;

  /** Its texts are checked where it is read. */
  @IsArray({ message: ROLES })
  @ArrayMaxSize(MAX_ROLES, { message: ROLES })
  readonly roles!: readonly unknown[];

  /** Default: all. Its texts are checked where it is read. */
  @IsOptional()
  @IsArray({ message: WORKFLOWS })
  @ArrayMaxSize(MAX_GRANTED_WORKFLOWS, { message: WORKFLOWS })
  readonly workflows?: readonly unknown[];
}

/** The body of `POST /keys`. */
@BodySchema('MakeKey', {
  owner: 'Whose key it is. Default: yours; another one needs `key:manage` in `*`',
  name: 'For people to read',
  groups: 'Names. Default: yours',
  grants: 'What it may do, never more than you. Default: what you may do',
  expiresAt: 'Epoch milliseconds. Default and most: what the service allows, and never after your own',
})
export class MakeKeyDto {
  @IsOptional()
  @IsString({ message: OWNER })
  @Length(1, MAX_CHARS, { message: OWNER })
  @Matches(NO_CONTROLS, { message: OWNER })
  readonly owner?: string;

  @IsOptional()
  @IsString({ message: NAME })
  @Length(1, MAX_CHARS, { message: NAME })
  @Matches(NO_CONTROLS, { message: NAME })
  readonly name?: string;

  /** Its texts are checked where it is read. */
  @IsOptional()
  @IsArray({ message: GROUPS })
  @ArrayMaxSize(MAX_GROUPS, { message: GROUPS })
  readonly groups?: readonly unknown[];

  /** Each is checked by itself, as a `KeyGrantDto`. */
  @IsOptional()
  @IsArray({ message: GRANTS })
  @ArrayMaxSize(MAX_GRANTS, { message: GRANTS })
  @Type(() => KeyGrantDto)
  readonly grants?: readonly unknown[];

  @IsOptional()
  @IsInt({ message: EXPIRES_AT })
  @Min(0, { message: EXPIRES_AT })
  readonly expiresAt?: number;
}

export const TEXT_BOUNDS = { roles: MAX_CHARS, workflows: MAX_CHARS, groups: MAX_CHARS } as const;
