import { ANSWERED_ONCE, type AnsweredOnce } from '../../engine/vocabulary.js';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Length,
  MaxLength,
  Min,
} from '../../http/validation/class-validator.js';
import { BodySchema } from '../../openapi/body-schema.js';

// One sentence for all that a field must be, because only one of several violated rules is reported.
const RESPONDER = 'responder must be a string of 1 to 256 characters';
const COMMENT = 'comment must be a string of at most 10,000 characters';
const GATE_ID = 'gateId must be a whole number of at least 1';

/** The body of `POST …/hitl` (interface, section 4), with our optional fields. */
@BodySchema('RespondHitl', {
  approved: 'True approves. False rejects: the run fails, unless `onReject` of the gate is `continue`',
  responder: 'Who decided, for audit. Default `user`',
  comment: 'Kept with the decision',
  gateId: 'Which gate, of several that are open: as its `hitl-request` says. Default: the open gate',
  syncUntil:
    'When it is answered. `stop`: once the run stops again, or after half a minute. `gate`: also at an open gate, then possibly `running`. `recorded`: once the request is durable. Default `stop`',
})
export class RespondHitlDto {
  /** True approves, false rejects. */
  @IsBoolean({ message: 'approved (boolean) is required: send true or false' })
  readonly approved!: boolean;

  /** Who decided, for audit. Default `user`. */
  @IsOptional()
  @IsString({ message: RESPONDER })
  @Length(1, 256, { message: RESPONDER })
  readonly responder?: string;

  /** A comment that is kept with the decision. */
  @IsOptional()
  @IsString({ message: COMMENT })
  @MaxLength(10_000, { message: COMMENT })
  readonly comment?: string;

  /** The gate, if several are open. */
  @IsOptional()
  @IsInt({ message: GATE_ID })
  @Min(1, { message: GATE_ID })
  readonly gateId?: number;

  /** When the request is answered. Default `stop`. */
  @IsOptional()
  @IsIn(ANSWERED_ONCE, { message: `syncUntil must be one of ${ANSWERED_ONCE.join(', ')}` })
  readonly syncUntil?: AnsweredOnce;
}
