// The yardstick: the same Nest and Express with one endpoint that parses a JSON body and answers a record of the same
// size. Decorators are applied by hand, because Node strips types but does not know decorators.
import 'reflect-metadata';
import { Body, Controller, HttpCode, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

const record: unknown = JSON.parse(process.env['BENCH_RECORD'] ?? '{}');

class BareController {
  start(_body: unknown): unknown {
    return record;
  }
}
Controller()(BareController);
const descriptor = Object.getOwnPropertyDescriptor(BareController.prototype, 'start')!;
Post('/workflows/:id/runs')(BareController.prototype, 'start', descriptor);
HttpCode(202)(BareController.prototype, 'start', descriptor);
Body()(BareController.prototype, 'start', 0);

class BareModule {}
Module({ controllers: [BareController] })(BareModule);

const app = await NestFactory.create(BareModule, { logger: false });
await app.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1');
console.log(await app.getUrl());
