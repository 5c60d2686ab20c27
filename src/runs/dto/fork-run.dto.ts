import { Type } from 'class-transformer';
import {
  FORK_DEFINITIONS,
  SYNC_UNTIL,
  type ForkDefinition,
  type SyncUntil,
} from '../../engine/vocabulary.js';
import {
  Allow,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Min,
} from '../../http/validation/class-validator.js';
import { BodySchema } from '../../openapi/body-schema.js';

const OCCURRENCE = 'from.occurrence must be a whole number of at least 1';

/** Where a fork begins: at a checkpoint or at a unit. */
@BodySchema('ForkPlace', {
  snapshotId: 'After this checkpoint of the run',
  unitId: 'Just before this unit was scheduled for the first time, or for the time that `occurrence` says',
  occurrence: 'Times are counted along the log of the run. Default 1',
})
export class ForkPlaceDto {
  /** The fork begins after this checkpoint of the run. */
  @IsOptional()
  @IsString({ message: 'from.snapshotId must be a string' })
  readonly snapshotId?: string;

  /** The fork begins just before this unit was scheduled. */
  @IsOptional()
  @IsString({ message: 'from.unitId must be a string' })
  readonly unitId?: string;

  /** Which time the unit was scheduled. Default 1. */
  @IsOptional()
  @IsInt({ message: OCCURRENCE })
  @Min(1, { message: OCCURRENCE })
  readonly occurrence?: number;
}

/** The body of `POST …/fork`. */
@BodySchema('ForkRun', {
  from: 'Where it begins. Default: again from the start',
  input:
    'Replaces the input of the run, and has to fit `spec.input`. Its keys are laid over the shared state; what the old input wrote under other keys stays. Default: the same',
  state:
    'Keys that are laid over the shared state, after those of `input`: also `output.<unit>`, but of no gate; no `hitl.` or `errors.`',
  unitInput:
    'What the unit of `from.unitId` is given there, once, instead of its `with`; never, if the fork passes it without calling it',
  definition:
    '`pinned`: it continues with the document of the run. `current`: with the registered one, which must have the same nodes wherever the run stands. Default `pinned`',
  labels:
    'To find it by: at most 32. Names are 1 to 63 of `a-z0-9_.-` with a letter first, values at most 256 characters. Default: none',
  sync: 'Wait until the fork is completed, paused or failed. Default false',
  syncUntil: 'When `sync` is answered: `gate`, at an open gate too, then possibly `running`. Default `stop`',
})
export class ForkRunDto {
  /** Where the fork begins. Default: at the start. */
  @IsOptional()
  @IsObject({ message: 'from must be an object' })
  @Type(() => ForkPlaceDto)
  readonly from?: ForkPlaceDto;

  /** The fork's input, instead of the run's. Default: the same. */
  @IsOptional()
  @IsObject({ message: 'input must be an object' })
  readonly input?: object;

  /** Keys that override those of the shared state. Default: none. */
  @IsOptional()
  @IsObject({ message: 'state must be an object' })
  readonly state?: object;

  /** The input of the unit of `from.unitId`, once, instead of what its `with` says. */
  @IsOptional()
  @Allow()
  readonly unitInput?: unknown;

  /** Whether the fork continues by the document of the run, or by the one that is registered now. */
  @IsOptional()
  @IsIn(FORK_DEFINITIONS, { message: `definition must be ${FORK_DEFINITIONS.join(' or ')}` })
  readonly definition?: ForkDefinition;

  /** Labels to find the fork by. Default: none. */
  @IsOptional()
  @IsObject({ message: 'labels must be an object' })
  readonly labels?: object;

  /** Wait until the fork is completed, paused or failed. Default false. */
  @IsOptional()
  @IsBoolean({ message: 'sync must be true or false' })
  readonly sync?: boolean;

  /** When `sync` is answered. Default `stop`. */
  @IsOptional()
  @IsIn(SYNC_UNTIL, { message: `syncUntil must be ${SYNC_UNTIL.join(' or ')}` })
  readonly syncUntil?: SyncUntil;
}
