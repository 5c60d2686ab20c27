import { Module, type DynamicModule } from '@nestjs/common';
import { FLOWGATE_OPTIONS } from '../config/options.module.js';
import type { FlowgateConfig } from '../config/service/settings.js';
import { GuideController } from './guide.controller.js';

/** For the standalone service only, before what serves `/docs/:file`, which would take its address. */
@Module({})
export class GuideModule {
  static with({ statuses }: Pick<FlowgateConfig, 'statuses'>): DynamicModule {
    return {
      module: GuideModule,
      controllers: [GuideController],
      providers: [{ provide: FLOWGATE_OPTIONS, useValue: { statuses } }],
    };
  }
}
