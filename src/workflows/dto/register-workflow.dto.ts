import { Allow, Matches } from 'class-validator';

/** Body of `POST /workflows/from-yaml` (interface, section 4). */
export class RegisterWorkflowDto {
  /** The whole document. */
  @Matches(/\S/, { message: 'body.yaml (string) is required' })
  readonly yaml!: string;

  /** By `uses` name; the engine checks it, and a fault in it is a `YamlLoadError`. */
  @Allow()
  readonly bindings?: unknown;
}
