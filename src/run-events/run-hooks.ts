import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { ApplicationStart } from '../discovery/application-start.js';
import { missingInstance } from '../discovery/instance-check.js';
import { declaredMethods, type ProviderMethod, type Scan } from '../discovery/provider-methods.js';
import type { Engine, HookMoment, RunChange } from '../engine/index.js';
import { messageOf } from '../errors/flowgate-error.js';
import { SetupError } from '../errors/service-errors.js';
import { Hook } from './hook.js';
import { HOOK_DECLARATIONS, type HookDeclaration, type RunEvent } from './on-run-event.decorator.js';

/** The time for hook calls in flight at the end of the application. */
const SHUTDOWN_MS = 5_000;
/** A hook's error may contain data of its run, so only enough is logged to recognise the error. */
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

  /** Throws a `SetupError` for hooks of an instance that does not exist. */
  constructor(
    scan: Scan,
    private readonly instance: HooksOfInstance,
  ) {
    const faults: string[] = [];
    for (const { value, method } of declaredMethods(scan, HOOK_DECLARATIONS)) {
      if (value.instance === instance.name) this.add(value, method);
      else {
        const missing = missingInstance(scan, value.instance, `The hook ${method.label}`);
        if (missing !== null) faults.push(missing);
      }
    }
    if (faults.length > 0) throw new SetupError(faults);
  }

  /** The engine is closed by now: no more events of runs follow. */
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
      onOverflow: () => this.logger.error(`${method.label} is too slow: calls of it are left out`),
    });
    this.hooks.push(hook);
    this.stopLooking.push(
      engine.runs.observe<HookMoment>(
        (change) => {
          if ((workflow ?? change.workflowId) === change.workflowId) hook.notify(change);
        },
        [type],
      ),
    );
  }

  private async eventOf({ moment, at, about, ...address }: RunChange<HookMoment>): Promise<RunEvent> {
    const record = await this.instance.engine.runs.get(address);
    const event = { type: moment, ...address, at, record };
    return Object.freeze(about === undefined ? event : { ...event, about });
  }

  private report(
    { label }: ProviderMethod,
    { runId, workflowId, moment }: RunChange<HookMoment>,
    error: unknown,
  ): void {
    const said = textOf(error).slice(0, MAX_ERROR_CHARS);
    this.logger.error(`${label} failed for the run ${runId} of ${workflowId} (${moment}): ${said}`);
  }
}

/** Anything can be thrown. */
function textOf(error: unknown): string {
  try {
    return messageOf(error);
  } catch {
    return 'something that cannot be read';
  }
}
