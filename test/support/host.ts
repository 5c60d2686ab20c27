import {
  Module,
  type DynamicModule,
  type INestApplication,
  type NestApplicationOptions,
  type Type,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { FlowgateModule, type FlowgateModuleOptions, type FlowgatePlacement } from '../../src/index.js';
import { serviceOf, type Service } from './service.js';

export const ADAPTERS = ['express', 'fastify'] as const;
export type AdapterName = (typeof ADAPTERS)[number];

export interface HostOptions {
  readonly adapter: AdapterName;
  /** One instance with these; or, with `imports`, none but what is there. */
  readonly flowgate?: FlowgateModuleOptions & FlowgatePlacement;
  readonly imports?: readonly (DynamicModule | Type)[];
  readonly controllers?: readonly Type[];
  readonly providers?: readonly Type[];
  readonly application?: NestApplicationOptions;
  /** What the main.ts of the host does before it listens. */
  readonly setUp?: (app: INestApplication) => unknown;
}

/** A host application that listens; whoever starts it closes it. */
export async function startHost(options: HostOptions): Promise<INestApplication> {
  const { adapter, flowgate = {}, controllers = [], providers = [], setUp, application = {} } = options;
  const { imports = [FlowgateModule.forRoot(flowgate)] } = options;
  @Module({ imports: [...imports], controllers: [...controllers], providers: [...providers] })
  class HostModule {}
  const settings = { logger: false as const, abortOnError: false, ...application };
  const app =
    adapter === 'express'
      ? await NestFactory.create(HostModule, new ExpressAdapter(), settings)
      : await NestFactory.create<NestFastifyApplication>(HostModule, new FastifyAdapter(), settings);
  await setUp?.(app);
  await app.listen(0, '127.0.0.1');
  return app;
}

/** Such a host's Flowgate. */
export async function startHostService(options: HostOptions, prefix = '/flowgate'): Promise<Service> {
  return serviceOf(await startHost(options), prefix);
}
