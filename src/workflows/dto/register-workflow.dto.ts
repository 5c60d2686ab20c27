import { Type } from 'class-transformer';
import { Allow, Matches } from '../../http/validation/class-validator.js';
import { BodySchema } from '../../openapi/body-schema.js';
import { BindingDto } from './binding.dto.js';

/** The body of `POST /workflows/from-yaml` (interface, section 4). */
@BodySchema('RegisterWorkflow', {
  yaml: 'The document, whole',
  bindings: 'Where units are called: `{ type, endpoint, … }` by their `uses`',
})
export class RegisterWorkflowDto {
  /** The whole document. */
  @Matches(/\S/, { message: 'body.yaml (string) is required' })
  readonly yaml!: string;

  /** The bindings by `uses` name; the engine checks them, and a fault in one is a `YamlLoadError`. */
  @Allow()
  @Type(() => BindingDto)
  readonly bindings?: Readonly<Record<string, BindingDto>>;
}
