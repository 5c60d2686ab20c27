import { Inject, Injectable, Logger } from '@nestjs/common';
import { ACCESS } from '../config/access/access-tokens.js';
import { ENGINE } from '../config/instance-tokens.js';
import { VERSION } from '../config/version.js';
import type { Engine } from '../engine/index.js';
import type { Access } from '../http/access/access.js';
import { messageOf } from '../errors/flowgate-error.js';

/** The response of `GET /health`. */
export interface Health {
  readonly ok: boolean;
  /** Workflow ids, in the order of their registration. Absent where it is asked who is asking, for everyone may read this. */
  readonly workflows?: readonly string[];
  readonly version: string;
  /** `behind`: entries of the log that the search has not read yet. Absent if that is unknown, as at a shutdown. */
  readonly memory?: { readonly behind: number };
  /** Runs that are paused because their next step could not be decided; a resume tries again. Absent like `memory`. */
  readonly undecided?: number;
  /** How often a run has stalled since the process began, by a defect, and was read again. Absent like `memory`. */
  readonly stalled?: number;
  /**
   * The process of the database server that has left a transaction open, which keeps the search, webhooks and streams of all runs
   * from what is newer, and for how long; `pid` is null for a prepared one. Absent: there is none.
   */
  readonly heldUp?: { readonly pid: number | null; readonly forMs: number };
  /**
   * That the access file as it is now cannot be used, so that the one before it holds, or that replicas hold different ones. Absent:
   * neither is so.
   */
  readonly accessFile?: string;
  /** Why `ok` is false. */
  readonly error?: string;
  /** A stable code for programs, with `error`. */
  readonly code?: 'shutting-down' | 'store';
}

const SHUTTING_DOWN = 'The service is shutting down';
/** The reason may name a folder of this machine, so only the log has it. */
const UNREACHABLE = 'The store cannot be reached: the log of the service says why';
const WRONG_FILE =
  'The access file cannot be used, and the one before it holds: the log of the service says why';
const DIFFERENT_FILES =
  'Replicas hold different access files, so what somebody may do depends on which of them answers: give all of them the same file';

@Injectable()
export class HealthService {
  private readonly logger = new Logger('Health');
  private hasSaidWhy = false;

  constructor(
    @Inject(ENGINE) private readonly engine: Engine,
    @Inject(ACCESS) private readonly access: Pick<Access, 'accessFileFault' | 'accessFilesDiffer'> | null,
  ) {}

  async health(): Promise<Health> {
    const about =
      this.access === null ? { workflows: await this.workflows(), version: VERSION } : { version: VERSION };
    if (this.engine.isClosing) return { ok: false, ...about, error: SHUTTING_DOWN, code: 'shutting-down' };
    const examined = await this.examine();
    if (examined === null) return { ok: false, ...about, error: UNREACHABLE, code: 'store' };
    const { store, memoryBehind, undecidedRuns, stalledRuns, heldUp } = examined;
    const figures = {
      memory: { behind: memoryBehind },
      undecided: undecidedRuns,
      stalled: stalledRuns,
      ...(heldUp !== null && { heldUp }),
      ...this.aboutAccessFile(),
    };
    // The engine logs what is wrong with the store, once for each change.
    if (store !== 'ok') return { ok: false, ...about, ...figures, error: UNREACHABLE, code: 'store' };
    return { ok: true, ...about, ...figures };
  }

  private aboutAccessFile(): Pick<Health, 'accessFile'> {
    const isWrong = (this.access?.accessFileFault() ?? null) !== null;
    if (isWrong) return { accessFile: WRONG_FILE };
    return this.access?.accessFilesDiffer?.() === true ? { accessFile: DIFFERENT_FILES } : {};
  }

  /** Empty while the store that knows them cannot be reached. */
  private async workflows(): Promise<readonly string[]> {
    const items = await this.engine.workflows.list().catch(() => []);
    return items.map(({ workflowId }) => workflowId);
  }

  /** Null if the engine cannot report its health; that is logged once, because probes come every few seconds. */
  private async examine(): Promise<Awaited<ReturnType<Engine['health']>> | null> {
    try {
      const health = await this.engine.health();
      this.hasSaidWhy = false;
      return health;
    } catch (error) {
      if (!this.hasSaidWhy) this.logger.error(`The health cannot be told: ${messageOf(error)}`);
      this.hasSaidWhy = true;
      return null;
    }
  }
}
