import { Inject, Module, type DynamicModule, type OnModuleDestroy } from '@nestjs/common';
import { EDGE_DEFAULTS, checkedStatuses, type EdgeOptions } from '../config/edge-options.js';
import { FLOWGATE_OPTIONS } from '../config/options.module.js';
import { useStatuses } from './statuses-in-use.js';

/** Has the document show the statuses of one instance, for as long as the instance exists. */
@Module({})
export class StatusesModule implements OnModuleDestroy {
  private readonly unuse: () => void;

  /** Throws a `ConfigError`. A host makes its document before `onModuleInit`, so that would be too late. */
  constructor(@Inject(FLOWGATE_OPTIONS) { statuses = EDGE_DEFAULTS.statuses }: EdgeOptions) {
    this.unuse = useStatuses(checkedStatuses(statuses));
  }

  static around(options: DynamicModule): DynamicModule {
    return { module: StatusesModule, imports: [options] };
  }

  onModuleDestroy(): void {
    this.unuse();
  }
}
