import { IsBoolean, IsObject, IsOptional } from 'class-validator';

/** Body of `POST /workflows/:id/runs` (interface, section 4). */
export class StartRunDto {
  /** The first keys of the shared state. Default: none. */
  @IsOptional()
  @IsObject({ message: 'input must be an object' })
  readonly input?: object;

  /** Wait until the run is completed, paused or failed. Default false. */
  @IsOptional()
  @IsBoolean({ message: 'sync must be true or false' })
  readonly sync?: boolean;
}
