import { IsOptional, IsString, Length } from '../../http/validation/class-validator.js';
import { BodySchema } from '../../openapi/body-schema.js';

const BY = 'by must be a string of 1 to 256 characters';

/** The body of `POST …/cancel`, `POST …/pause` and `POST …/compensate`. */
@BodySchema('StopRun', { by: 'Who asks for it, for audit. Default `user`' })
export class StopRunDto {
  /** Who requests it, for audit. Default `user`. */
  @IsOptional()
  @IsString({ message: BY })
  @Length(1, 256, { message: BY })
  readonly by?: string;
}
