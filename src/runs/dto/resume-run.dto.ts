import { IsOptional, IsString } from 'class-validator';

/** Body of `POST …/resume` (interface, section 4). */
export class ResumeRunDto {
  /** A checkpoint of the run. Default: the latest. */
  @IsOptional()
  @IsString({ message: 'snapshotId must be a string' })
  readonly snapshotId?: string;
}
