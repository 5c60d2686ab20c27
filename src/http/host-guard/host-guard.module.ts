import { Module, type DynamicModule } from '@nestjs/common';
import { hostDoorToken } from '../../instance.js';
import { HostDoor } from './host-door.js';

/** What the guards that a host puts on its own controllers ask. */
@Module({ providers: [HostDoor] })
export class HostGuardModule {
  /** `options` and `authentication` are those of the instance of that name. */
  static around(options: DynamicModule, authentication: DynamicModule, name?: string): DynamicModule {
    const token = hostDoorToken(name);
    return {
      module: HostGuardModule,
      imports: [options, authentication],
      providers: [{ provide: token, useExisting: HostDoor }],
      exports: [token],
    };
  }
}
