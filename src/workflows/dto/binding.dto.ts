import {
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
} from '../../http/validation/class-validator.js';
import { BodySchema } from '../../openapi/body-schema.js';

/**
 * One of the `bindings` of a registration (interface, section 2, with our optional fields). The engine validates
 * bindings itself (`YamlLoadError`), because it also gets them without Nest; a test compares the two.
 */
@BodySchema('Binding', {
  type: 'The kind of binding',
  endpoint: 'An absolute http or https URL, which receives the calls',
  headers: 'Sent with every call: a text each',
  callback: 'Not supported yet: false, if anything',
  signingSecret: 'Not supported yet: null, if anything',
  timeoutMs: 'Bounds one attempt, in milliseconds',
})
export class BindingDto {
  @IsIn(['http'])
  readonly type!: 'http';

  @MaxLength(8_192)
  @Matches(/^[Hh][Tt][Tt][Pp][Ss]?:\/\/\S+$/)
  readonly endpoint!: string;

  @IsOptional()
  @IsObject()
  readonly headers?: Readonly<Record<string, string>>;

  @IsOptional()
  @IsBoolean()
  readonly callback?: boolean;

  @IsOptional()
  @Length(1, 1_024)
  readonly signingSecret?: string;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(86_400_000)
  readonly timeoutMs?: number;
}
