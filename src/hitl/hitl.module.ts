import { Module, type DynamicModule } from '@nestjs/common';
import { HitlController } from './hitl.controller.js';
import { HitlService } from './hitl.service.js';

@Module({ controllers: [HitlController], providers: [HitlService], exports: [HitlService] })
export class HitlModule {
  static around(shared: readonly DynamicModule[]): DynamicModule {
    return { module: HitlModule, imports: [...shared] };
  }
}
