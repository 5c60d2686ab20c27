import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FlowgateModule, type FlowgateModuleOptions } from '../../src/index.js';
import { serviceOf, type Service } from './service.js';

/** The module in a host that has nothing else, with the parts (a store, a clock) that a test gives it. */
export async function startHosted(options: FlowgateModuleOptions): Promise<Service> {
  @Module({ imports: [FlowgateModule.forRoot({ ...options, prefix: '' })] })
  class Host {}
  const app = await NestFactory.create(Host, { logger: false });
  await app.listen(0, '127.0.0.1');
  return serviceOf(app);
}
