import { Type } from 'class-transformer';
import { ANSWERED_ONCE, type AnsweredOnce } from '../../engine/vocabulary.js';
import { IsIn, IsObject, IsOptional, IsString } from '../../http/validation/class-validator.js';
import { BodySchema } from '../../openapi/body-schema.js';
import { RunBudgetDto } from './run-budget.dto.js';

/** The body of `POST …/resume` (interface, section 4), with our optional field. */
@BodySchema('ResumeRun', {
  snapshotId: 'A checkpoint of the run, as its messages and its snapshots name it. Default: the latest',
  budget:
    'What the run may use from now on, all of it together, in place of what its document says. What is left out stays as it was. Default: as before',
  syncUntil:
    'When it is answered. `stop`: once the run stops again, or after half a minute. `gate`: also at an open gate, then possibly `running`. `recorded`: once the request is durable. Default `stop`',
})
export class ResumeRunDto {
  /** A checkpoint of the run. Default: the latest. */
  @IsOptional()
  @IsString({ message: 'snapshotId must be a string' })
  readonly snapshotId?: string;

  /** What the run may use from now on. Default: as before. */
  @IsOptional()
  @IsObject({ message: 'budget must be an object' })
  @Type(() => RunBudgetDto)
  readonly budget?: RunBudgetDto;

  /** When the request is answered. Default `stop`. */
  @IsOptional()
  @IsIn(ANSWERED_ONCE, { message: `syncUntil must be one of ${ANSWERED_ONCE.join(', ')}` })
  readonly syncUntil?: AnsweredOnce;
}
