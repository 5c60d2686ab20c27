import { IsBoolean, IsInt, IsOptional, IsString, Length, MaxLength, Min } from 'class-validator';

/** Body of `POST …/hitl` (interface, section 4), and the optional fields of ours. */
export class RespondHitlDto {
  /** True approves, false rejects. */
  @IsBoolean({ message: 'approved (boolean) is required: send true or false' })
  readonly approved!: boolean;

  /** Who decided, for audit. Default `user`. */
  @IsOptional()
  @IsString({ message: 'responder must be a string' })
  @Length(1, 256, { message: 'responder must have 1 to 256 characters' })
  readonly responder?: string;

  /** Kept with the decision. */
  @IsOptional()
  @IsString({ message: 'comment must be a string' })
  @MaxLength(10_000, { message: 'comment must have at most 10,000 characters' })
  readonly comment?: string;

  /** Which gate, when several are open. */
  @IsOptional()
  @IsInt({ message: 'gateId must be a whole number' })
  @Min(1, { message: 'gateId must be at least 1' })
  readonly gateId?: number;
}
