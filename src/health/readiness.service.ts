import { Inject, Injectable } from '@nestjs/common';
import { ENGINE } from '../config/instance-tokens.js';
import type { Engine } from '../engine/index.js';

/** The response of `GET /health/ready`. */
export interface Readiness {
  readonly ok: boolean;
  /** Why `ok` is false. */
  readonly error?: string;
  /** A stable code for programs, with `error`. */
  readonly code?: 'shutting-down' | 'recovering' | 'store';
}

/** Well within the timeout of a probe: a disk that hangs is reported, not waited for. */
const STORE_ANSWERS_WITHIN_MS = 2_000;

const READY: Readiness = { ok: true };
const SHUTTING_DOWN = notReady('shutting-down', 'The service is shutting down');
const RECOVERING = notReady(
  'recovering',
  'The service still takes over the runs that were in flight when it stopped',
);
/** The reason may name a folder of this machine, so only the log has it. */
const UNREACHABLE = notReady('store', 'The store cannot be reached: the log of the service says why');
const SILENT = notReady(
  'store',
  `The store does not answer within ${STORE_ANSWERS_WITHIN_MS} ms: check its disk`,
);

/** Whether the service takes work. However many probes there are, the store is checked once at a time. */
@Injectable()
export class ReadinessService {
  private looking: Promise<Readiness> | null = null;

  constructor(@Inject(ENGINE) private readonly engine: Engine) {}

  async readiness(): Promise<Readiness> {
    if (this.engine.isClosing) return SHUTTING_DOWN;
    if (!this.engine.hasTakenOver) return RECOVERING;
    const store = await within(STORE_ANSWERS_WITHIN_MS, this.store());
    // The shutdown may have begun while the store was checked.
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

function notReady(code: NonNullable<Readiness['code']>, error: string): Readiness {
  return { ok: false, error, code };
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
