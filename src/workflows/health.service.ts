import { Injectable, Logger } from '@nestjs/common';
import { VERSION } from '../config/version.js';
import { Engine } from '../engine/index.js';
import { messageOf } from '../errors/flowgate-error.js';

/** Answer of `GET /health`. */
export interface Health {
  readonly ok: boolean;
  /** Ids, in the order of their registration. */
  readonly workflows: readonly string[];
  readonly version: string;
  /** `behind`: entries of the log that the search has not read yet. Absent where nobody can say, as at a shutdown. */
  readonly memory?: { readonly behind: number };
  /** Runs that are paused because what follows could not be decided; a resume tries again. Absent like `memory`. */
  readonly undecided?: number;
  /** Why `ok` is false. */
  readonly error?: string;
}

type Figures = Pick<Health, 'memory' | 'undecided'>;

const SHUTTING_DOWN = 'The service is shutting down';
/** The reason may name a folder of this machine: it is for the log. */
const UNREACHABLE = 'The store cannot be reached: the log of the service says why';

@Injectable()
export class HealthService {
  private readonly logger = new Logger('Health');
  private wasReachable = true;

  constructor(private readonly engine: Engine) {}

  async health(): Promise<Health> {
    const about = { workflows: await this.workflows(), version: VERSION };
    if (this.engine.isClosing) return { ok: false, ...about, error: SHUTTING_DOWN };
    const { trouble, figures } = await this.examine();
    this.tell(trouble);
    return trouble === null
      ? { ok: true, ...about, ...figures }
      : { ok: false, ...about, ...figures, error: UNREACHABLE };
  }

  /** None while the store that knows them cannot be reached. */
  private async workflows(): Promise<readonly string[]> {
    const items = await this.engine.workflows.list().catch(() => []);
    return items.map(({ workflowId }) => workflowId);
  }

  private async examine(): Promise<{ readonly trouble: string | null; readonly figures: Figures }> {
    try {
      const { store, memoryBehind, undecidedRuns } = await this.engine.health();
      const figures = { memory: { behind: memoryBehind }, undecided: undecidedRuns };
      return { trouble: store === 'ok' ? null : store, figures };
    } catch (error) {
      return { trouble: messageOf(error), figures: {} };
    }
  }

  /** Once for each change: probes come every few seconds. */
  private tell(trouble: string | null): void {
    const isReachable = trouble === null;
    if (isReachable === this.wasReachable) return;
    this.wasReachable = isReachable;
    if (isReachable) this.logger.log('The store can be reached again');
    else this.logger.error(`The store cannot be reached: ${trouble}`);
  }
}
