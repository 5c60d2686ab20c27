import { Module, type DynamicModule } from '@nestjs/common';
import { JsonBodyReader } from './json-body-reader.js';

/** What every controller shares. */
@Module({ providers: [JsonBodyReader], exports: [JsonBodyReader] })
export class HttpEdgeModule {
  static around(options: DynamicModule): DynamicModule {
    return { module: HttpEdgeModule, imports: [options], exports: [options] };
  }
}
