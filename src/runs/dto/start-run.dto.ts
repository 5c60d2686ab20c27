import { SYNC_UNTIL, type SyncUntil } from '../../engine/vocabulary.js';
import { IsBoolean, IsIn, IsObject, IsOptional } from '../../http/validation/class-validator.js';
import { BodySchema } from '../../openapi/body-schema.js';

/** The body of `POST /workflows/:id/runs` (interface, section 4). */
@BodySchema('StartRun', {
  input: 'The first keys of the shared state; as `spec.input` of the workflow asks',
  labels: 'What the run is found by later: names and texts, at most 32. Default: none',
  sync: 'Wait until the run is completed, paused or failed. Default false',
  syncUntil: 'When `sync` is answered: `gate`, at an open gate too, then possibly `running`. Default `stop`',
})
export class StartRunDto {
  /** The first keys of the shared state. Default: none. */
  @IsOptional()
  @IsObject({ message: 'input must be an object' })
  readonly input?: object;

  /** Labels to find the run by. Default: none. */
  @IsOptional()
  @IsObject({ message: 'labels must be an object' })
  readonly labels?: object;

  /** Wait until the run is completed, paused or failed. Default false. */
  @IsOptional()
  @IsBoolean({ message: 'sync must be true or false' })
  readonly sync?: boolean;

  /** When `sync` is answered. Default `stop`. */
  @IsOptional()
  @IsIn(SYNC_UNTIL, { message: `syncUntil must be ${SYNC_UNTIL.join(' or ')}` })
  readonly syncUntil?: SyncUntil;
}
