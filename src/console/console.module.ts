import { Module, type DynamicModule } from '@nestjs/common';
import { featureOf } from '../config/feature.js';
import type { Mount } from '../config/placement.js';
import { CONSOLE_PARTS, ConsoleController } from './console.controller.js';

/** The console, where it is switched on. */
@Module({})
export class ConsoleModule {
  static around(imports: readonly DynamicModule[], { parts }: Mount): DynamicModule {
    const controllers = parts.console ? [ConsoleController] : [];
    const feature = featureOf(ConsoleModule, { imports, controllers });
    return { ...feature, providers: [{ provide: CONSOLE_PARTS, useValue: parts }] };
  }
}
