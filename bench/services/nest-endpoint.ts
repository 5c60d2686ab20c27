import 'reflect-metadata';
import { Body, Controller, HttpCode, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

/**
 * Serves `POST /workflows/:id/runs` on `PORT` with Nest and Express and nothing else. Decorators are applied by hand,
 * because Node strips types but does not know decorators.
 */
export async function serveStart(start: (body: unknown) => unknown): Promise<void> {
  class StartController {
    start(body: unknown): unknown {
      return start(body);
    }
  }
  Controller()(StartController);
  const descriptor = Object.getOwnPropertyDescriptor(StartController.prototype, 'start')!;
  Post('/workflows/:id/runs')(StartController.prototype, 'start', descriptor);
  HttpCode(202)(StartController.prototype, 'start', descriptor);
  Body()(StartController.prototype, 'start', 0);

  class StartModule {}
  Module({ controllers: [StartController] })(StartModule);

  const app = await NestFactory.create(StartModule, { logger: false });
  await app.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1');
}
