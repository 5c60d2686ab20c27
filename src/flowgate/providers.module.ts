import { Module, type DynamicModule } from '@nestjs/common';
import { ENGINE } from '../config/instance-tokens.js';
import { flowgateToken } from '../instance.js';
import type { Engine } from '../engine/index.js';
import { FeaturesModule } from '../features/features.module.js';
import { RunEventsModule } from '../run-events/run-events.module.js';
import { UnitsModule } from '../units/units.module.js';
import { Flowgate } from './flowgate.js';

/** What an instance offers to the providers of the host: `Flowgate`, `@Unit`, `@OnRunEvent`, and features. */
@Module({})
export class ProvidersModule {
  /** `engine` exports the engine of the instance of that name. */
  static around(engine: DynamicModule, name?: string): DynamicModule {
    const own = flowgateToken(name);
    const features = FeaturesModule.around(engine, name);
    const facade = {
      provide: own,
      inject: [ENGINE],
      useFactory: (of: Engine) => new Flowgate(of),
    };
    // For the instance without a name, the class itself is a token, too.
    const aliases = name === undefined ? [{ provide: Flowgate, useExisting: own }] : [];
    return {
      module: ProvidersModule,
      imports: [engine, UnitsModule.around(engine, name), RunEventsModule.around(engine, name), features],
      providers: [facade, ...aliases],
      exports: [own, ...aliases.map(({ provide }) => provide), features],
    };
  }
}
