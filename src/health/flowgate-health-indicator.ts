import { Inject, Injectable } from '@nestjs/common';
import { ENGINE } from '../config/instance-tokens.js';
import type { Engine } from '../engine/index.js';
import { ReadinessService } from './readiness.service.js';

/**
 * The result type of `HealthCheckService.check` in `@nestjs/terminus`, as plain values, so that terminus need not be
 * installed.
 */
export type FlowgateHealthResult<Key extends string> = Record<
  Key,
  { readonly status: 'up' } | { readonly status: 'down'; readonly message: string }
>;

/**
 * For a health check with `@nestjs/terminus`: `health.check([() => flowgate.isHealthy()])`. Injectable where
 * `FlowgateModule` is; of a named instance, `new FlowgateHealthIndicator(engine)` with its engine.
 */
@Injectable()
export class FlowgateHealthIndicator {
  private readonly readiness: ReadinessService;

  constructor(@Inject(ENGINE) engine: Engine) {
    this.readiness = new ReadinessService(engine);
  }

  /**
   * `up` when Flowgate takes work; `down`, with the reason, while it takes over runs after a start, shuts down, or
   * cannot reach its store (reported within two seconds). Never rejects.
   */
  async isHealthy<const Key extends string = 'flowgate'>(
    key: Key = 'flowgate' as Key,
  ): Promise<FlowgateHealthResult<Key>> {
    const { ok, error = '' } = await this.readiness.readiness();
    const result = ok ? { status: 'up' as const } : { status: 'down' as const, message: error };
    return { [key]: result } as FlowgateHealthResult<Key>;
  }
}
