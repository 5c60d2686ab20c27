import { Module, type DynamicModule } from '@nestjs/common';
import { ActingPerson } from './acting-person.js';
import { HostBodies } from './host-bodies/host-bodies.js';
import { JsonBodyReader } from './json-body-reader.js';

/** What every controller shares. */
@Module({ providers: [JsonBodyReader, ActingPerson, HostBodies], exports: [JsonBodyReader, ActingPerson] })
export class HttpEdgeModule {
  static around(options: DynamicModule): DynamicModule {
    return { module: HttpEdgeModule, imports: [options], exports: [options] };
  }
}
