import { Module, type DynamicModule } from '@nestjs/common';
import type { FlowgateConfig } from '../../config/service/settings.js';
import { FLOWGATE_OPTIONS } from '../../config/options.module.js';
import { DocumentController } from './document.controller.js';

/** For the standalone service only: `/openapi.json` and `/docs`. */
@Module({})
export class DocumentModule {
  static with({
    statuses,
    console: hasConsole,
  }: Pick<FlowgateConfig, 'console' | 'statuses'>): DynamicModule {
    return {
      module: DocumentModule,
      controllers: [DocumentController],
      providers: [{ provide: FLOWGATE_OPTIONS, useValue: { statuses, hasConsole } }],
    };
  }
}
