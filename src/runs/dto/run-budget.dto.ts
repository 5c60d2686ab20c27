import { MOST_COST, MOST_TOKENS } from '../../engine/request-limits.js';
import { IsInt, IsNumber, IsOptional, Max, Min } from '../../http/validation/class-validator.js';
import { BodySchema } from '../../openapi/body-schema.js';

const TOKENS = `budget.maxTokens must be a whole number from 0 to ${MOST_TOKENS}`;
const COST = `budget.maxCost must be a number from 0 to ${MOST_COST}`;

/** What a run may use from now on, instead of what its document says. */
@BodySchema('RunBudget', {
  maxTokens: 'Tokens, of the whole run. Default: as the document says',
  maxCost: 'In the currency that the units report, of the whole run. Default: as the document says',
})
export class RunBudgetDto {
  @IsOptional()
  @IsInt({ message: TOKENS })
  @Min(0, { message: TOKENS })
  @Max(MOST_TOKENS, { message: TOKENS })
  readonly maxTokens?: number;

  @IsOptional()
  @IsNumber({}, { message: COST })
  @Min(0, { message: COST })
  @Max(MOST_COST, { message: COST })
  readonly maxCost?: number;
}
