import { IsInt, IsOptional, Max, Min } from '../../../http/validation/class-validator.js';
import { BodySchema } from '../../../openapi/body-schema.js';

const SEVEN_DAYS_MS = 604_800_000;
const OVERLAP = `overlapMs must be a whole number from 0 to ${SEVEN_DAYS_MS}`;

/** The body of `POST /keys/:id/rotate`. */
@BodySchema('RotateKey', {
  overlapMs: 'How long the old secret still works. Default 0',
})
export class RotateKeyDto {
  @IsOptional()
  @IsInt({ message: OVERLAP })
  @Min(0, { message: OVERLAP })
  @Max(SEVEN_DAYS_MS, { message: OVERLAP })
  readonly overlapMs?: number;
}
