import { SYNC_UNTIL, type SyncUntil } from '../../engine/vocabulary.js';
import { IsBoolean, IsIn, IsObject, IsOptional } from '../../http/validation/class-validator.js';
import { BodySchema } from '../../openapi/body-schema.js';

/** The body of `POST /workflows/:id/runs` (interface, section 4). */
@BodySchema('StartRun', {
  input: 'The first keys of the shared state; as `spec.input` of the workflow asks. Default: none',
  labels:
    'What the run is found by later: at most 32 names (1 to 63 of `a` to `z`, `0` to `9`, `_`, `.` and `-`, with a letter first) with texts of up to 256 characters. Default: none',
  sync: 'Wait until the run is completed, paused or failed. Default false',
  syncUntil:
    'When `sync` is answered. `gate`: at an open gate of the run, or of one that it waits for, too, whatever else moves; the record then possibly says `running`. Default `stop`',
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
