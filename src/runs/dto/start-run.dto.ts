import { SYNC_UNTIL, type SyncUntil } from '../../engine/vocabulary.js';
import { IsBoolean, IsIn, IsObject, IsOptional } from '../../http/validation/class-validator.js';
import { BodySchema } from '../../openapi/body-schema.js';

/** The body of `POST /workflows/:id/runs` (interface, section 4). */
@BodySchema('StartRun', {
  input: 'The first keys of the shared state; has to fit `spec.input`. Default: none',
  labels:
    'To find it by: at most 32. Names are 1 to 63 of `a-z0-9_.-` with a letter first, values at most 256 characters. Default: none',
  sync: 'Wait until the run is completed, paused or failed. Default false',
  syncUntil:
    'When `sync` is answered. `gate`: also at an open gate of the run, or of one that it waits for, whatever else moves; the record may then say `running`. Default `stop`',
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
