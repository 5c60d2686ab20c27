import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { ApplicationStart } from '../discovery/application-start.js';
import { missingInstance } from '../discovery/instance-check.js';
import { declaredMethods, type ProviderMethod, type Scan } from '../discovery/provider-methods.js';
import type { Engine, RunChange } from '../engine/index.js';
import { messageOf } from '../errors/flowgate-error.js';
import { SetupError } from '../errors/setup-errors.js';
import { Hook } from './hook.js';
import { HOOK_DECLARATIONS, type HookDeclaration, type RunEvent } from './on-run-event.decorator.js';

/** What hooks get at the end of the application for what they have begun. */
const SHUTDOWN_MS = 5_000;
/** A hook's error may hold what its run was about: enough of it to know which error it is. */
const MAX_ERROR_CHARS = 500;

export interface HooksOfInstance {
  readonly engine: Engine;
  readonly name: string | undefined;
  readonly start: ApplicationStart;
}

/** Calls the `@OnRunEvent` methods of the host's providers for the runs of one instance. */
export class RunHooks implements OnApplicationShutdown {
  private readonly logger = new Logger('RunHooks');
  private readonly hooks: Hook[] = [];
  private readonly stopLooking: (() => void)[] = [];

  /** Throws a `SetupError` for hooks of an instance that is not there. */
  constructor(
    scan: Scan,
    private readonly instance: HooksOfInstance,
  ) {
    const faults: string[] = [];
    for (const { value, method } of declaredMethods(scan, HOOK_DECLARATIONS)) {
      if (value.instance === instance.name) this.add(value, method);
      else {
        const missing = missingInstance(scan, value.instance, `The hook ${method.place}`);
        if (missing !== null) faults.push(missing);
      }
    }
    if (faults.length > 0) throw new SetupError(faults);
  }

  /** Once the engine is closed: nothing happens to runs any more. */
  async onApplicationShutdown(): Promise<void> {
    for (const stop of this.stopLooking) stop();
    const stopped = Promise.all(this.hooks.map((hook) => hook.stop()));
    const late = Promise.withResolvers<null>();
    const timer = setTimeout(() => late.resolve(null), SHUTDOWN_MS);
    try {
      const left = await Promise.race([stopped, late.promise]);
      if (left === null) return this.logger.warn('A hook has not ended: the application ends without it');
      const count = left.reduce((sum, one) => sum + one, 0);
      if (count > 0) this.logger.warn(`${count} calls of hooks were not made: the application ends`);
    } finally {
      clearTimeout(timer);
    }
  }

  private add({ type, workflow }: HookDeclaration, method: ProviderMethod): void {
    const { engine, start } = this.instance;
    const hook = new Hook({
      call: async (change) => {
        try {
          await start.whenOver(async () => {
            const event = await this.eventOf(change);
            return method.call(event, [event]);
          });
        } catch (error) {
          this.report(method, change, error);
        }
      },
      onOverflow: () => this.logger.error(`${method.place} is too slow: calls of it are left out`),
    });
    this.hooks.push(hook);
    this.stopLooking.push(
      engine.runs.observe((change) => {
        if (change.moment === type && (workflow ?? change.workflowId) === change.workflowId)
          hook.tell(change);
      }),
    );
  }

  private async eventOf({ moment, at, ...address }: RunChange): Promise<RunEvent> {
    const record = await this.instance.engine.runs.get(address);
    return Object.freeze({ type: moment, ...address, at, record });
  }

  private report({ place }: ProviderMethod, { runId, workflowId, moment }: RunChange, error: unknown): void {
    const said = textOf(error).slice(0, MAX_ERROR_CHARS);
    this.logger.error(`${place} failed for the run ${runId} of ${workflowId} (${moment}): ${said}`);
  }
}

/** What is thrown may be anything. */
function textOf(error: unknown): string {
  try {
    return messageOf(error);
  } catch {
    return 'something that cannot be read';
  }
}
