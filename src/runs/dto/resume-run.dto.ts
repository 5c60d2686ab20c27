import { IsOptional, IsString } from '../../http/class-validator.js';
import { BodySchema } from '../../openapi/body-schema.js';

/** Body of `POST …/resume` (interface, section 4). */
@BodySchema('ResumeRun', { snapshotId: 'A checkpoint of the run. Default: the latest' })
export class ResumeRunDto {
  /** A checkpoint of the run. Default: the latest. */
  @IsOptional()
  @IsString({ message: 'snapshotId must be a string' })
  readonly snapshotId?: string;
}
