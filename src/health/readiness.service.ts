import { Inject, Injectable } from '@nestjs/common';
import { ENGINE } from '../config/instance.js';
import type { Engine } from '../engine/index.js';

/** Answer of `GET /health/ready`. */
export interface Readiness {
  readonly ok: boolean;
  /** Why `ok` is false. */
  readonly error?: string;
}

/** Well within the time-out of a probe: a disk that hangs is told of, not waited for. */
const STORE_ANSWERS_WITHIN_MS = 2_000;

const READY: Readiness = { ok: true };
const SHUTTING_DOWN = notReady('The service is shutting down');
const RECOVERING = notReady('The service still takes over the runs that were in flight when it stopped');
/** The reason may name a folder of this machine: it is for the log. */
const UNREACHABLE = notReady('The store cannot be reached: the log of the service says why');
const SILENT = notReady(`The store does not answer within ${STORE_ANSWERS_WITHIN_MS} ms: check its disk`);

/** Whether the service takes work. However many probes ask, the store is asked once at a time. */
@Injectable()
export class ReadinessService {
  private looking: Promise<Readiness> | null = null;

  constructor(@Inject(ENGINE) private readonly engine: Engine) {}

  async readiness(): Promise<Readiness> {
    if (this.engine.isClosing) return SHUTTING_DOWN;
    if (!this.engine.hasTakenOver) return RECOVERING;
    const store = await within(STORE_ANSWERS_WITHIN_MS, this.store());
    // It may have begun to shut down while the store was asked.
    return this.engine.isClosing ? SHUTTING_DOWN : store;
  }

  private store(): Promise<Readiness> {
    this.looking ??= this.engine
      .check()
      .then(
        () => READY,
        () => UNREACHABLE,
      )
      .finally(() => (this.looking = null));
    return this.looking;
  }
}

function notReady(error: string): Readiness {
  return { ok: false, error };
}

async function within(ms: number, looking: Promise<Readiness>): Promise<Readiness> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<Readiness>((resolve) => {
    timer = setTimeout(() => resolve(SILENT), ms);
  });
  try {
    return await Promise.race([looking, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
