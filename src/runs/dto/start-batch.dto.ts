import { Type } from 'class-transformer';
import { STARTS_OF_A_BATCH } from '../../engine/request-limits.js';
import { IDEMPOTENCY_KEY_RULE } from '../../http/idempotency-key.js';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Matches,
} from '../../http/validation/class-validator.js';
import { BodySchema } from '../../openapi/body-schema.js';

const { least, most } = STARTS_OF_A_BATCH;
const RUNS = `runs must be a list of ${least} to ${most} starts, each { input, labels, idempotencyKey }: split a longer one`;
const { message: KEY, least: SHORTEST, most: LONGEST, characters: CHARACTERS } = IDEMPOTENCY_KEY_RULE;

/** One of the starts in the body of `POST /workflows/:id/runs/batch`. */
@BodySchema('BatchedStart', {
  input: 'The first keys of the shared state; has to fit `spec.input`. Default: none',
  labels:
    'To find it by: at most 32. Names are 1 to 63 of `a-z0-9_.-` with a letter first, values at most 256 characters. Default: none',
  idempotencyKey:
    'As the header `Idempotency-Key` of a start: sent again with the same key, alone or in a batch, the same start does nothing and answers for the same run',
})
export class BatchedStartDto {
  /** The first keys of the shared state. Default: none. */
  @IsOptional()
  @IsObject({ message: 'input must be an object' })
  readonly input?: object;

  /** Labels to find the run by. Default: none. */
  @IsOptional()
  @IsObject({ message: 'labels must be an object' })
  readonly labels?: object;

  /** What the header `Idempotency-Key` is for a start by itself. Default: none. */
  @IsOptional()
  @IsString({ message: KEY })
  @Length(SHORTEST, LONGEST, { message: KEY })
  @Matches(CHARACTERS, { message: KEY })
  readonly idempotencyKey?: string;
}

/** The body of `POST /workflows/:id/runs/batch`. */
@BodySchema('StartBatch', {
  runs: 'The runs to start, each judged by itself. A body has no other field than this',
})
export class StartBatchDto {
  /** Each is checked by itself, as a `BatchedStartDto`. */
  @IsArray({ message: RUNS })
  @ArrayMinSize(least, { message: RUNS })
  @ArrayMaxSize(most, { message: RUNS })
  @Type(() => BatchedStartDto)
  readonly runs!: readonly unknown[];
}
