import {
  IsArray,
  IsOptional,
  IsString,
  MaxLength,
  ValidateIf,
  ValidateNested,
  validateSync,
} from 'class-validator';
import fc from 'fast-check';
import { RespondHitlDto } from '../../src/hitl/dto/respond-hitl.dto.js';
import { ResumeRunDto } from '../../src/runs/dto/resume-run.dto.js';
import { RunBudgetDto } from '../../src/runs/dto/run-budget.dto.js';
import { StopRunDto } from '../../src/runs/dto/stop-run.dto.js';
import { StartRunDto } from '../../src/runs/dto/start-run.dto.js';
import { RegisterWorkflowDto } from '../../src/workflows/dto/register-workflow.dto.js';
import { rulesOf } from '../../src/http/validation/shape-rules.js';
import { lawCases } from '../support/law-cases.js';

class Conditional {
  @ValidateIf((dto: Conditional) => dto.kind === 'text')
  @IsString()
  readonly value?: unknown;

  @IsOptional()
  @IsString()
  @MaxLength(3)
  readonly kind?: string;
}

const SHAPES = [
  StartRunDto,
  ResumeRunDto,
  RunBudgetDto,
  StopRunDto,
  RespondHitlDto,
  RegisterWorkflowDto,
  Conditional,
];

/** Values near the bounds of the rules, and any others. */
const value = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    true,
    false,
    0,
    1,
    1.5,
    -1,
    NaN,
    2 ** 53,
    '',
    ' ',
    '\n',
    'user',
    'text',
  ),
  fc.constantFrom<unknown>(
    'x'.repeat(256),
    'x'.repeat(257),
    'x'.repeat(10_000),
    'x'.repeat(10_001),
    '😀'.repeat(256),
  ),
  fc.constantFrom<unknown>(
    {},
    [],
    { a: 1 },
    [1],
    new Date(0),
    new Map(),
    () => 1,
    Symbol('s'),
    new String('user'),
  ),
  fc.anything(),
);

describe('the rules of a DTO, gathered once', () => {
  it.each(SHAPES.map((shape) => [shape.name, shape] as const))(
    'agree with class-validator on every %s',
    (_name, shape) => {
      const { fields, fits } = rulesOf(shape);
      const bodies = fc.record(Object.fromEntries(fields.map((field) => [field, value])), {
        requiredKeys: [],
      });
      fc.assert(
        fc.property(bodies, (body) => {
          const dto = Object.assign(new shape(), body);
          expect(fits(dto)).toBe(validateSync(dto, { stopAtFirstError: true }).length === 0);
        }),
        { numRuns: lawCases(500) },
      );
    },
  );

  it('name every field, also one that is only allowed', () => {
    expect(rulesOf(RegisterWorkflowDto).fields.toSorted()).toEqual(['bindings', 'yaml']);
  });

  it('leave every value to class-validator where a rule is of a kind that they do not know', () => {
    class Nested {
      @ValidateNested()
      readonly inner?: object;
    }
    class Each {
      @IsArray()
      @IsString({ each: true })
      readonly items = ['a'];
    }
    expect([rulesOf(Nested).fits(new Nested()), rulesOf(Each).fits(new Each())]).toEqual([false, false]);
  });
});
