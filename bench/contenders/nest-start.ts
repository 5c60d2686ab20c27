// A Nest application: how long it takes from the start of its process until it listens, in ms. Argument: `empty`, or `flowgate` for one
// that imports FlowgateModule, with its defaults.
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { answerParent } from '../support/child.ts';

export type NestKind = 'empty' | 'flowgate';

class HostModule {}
Module({ imports: process.argv[2] === 'flowgate' ? [await flowgate()] : [] })(HostModule);
const app = await NestFactory.create(HostModule, { logger: false });
await app.listen(0, '127.0.0.1');
const startMs = performance.now();

answerParent<object, number>(
  () => Promise.resolve(startMs),
  () => app.close(),
);

async function flowgate() {
  const { FlowgateModule } = await import('../../dist/index.js');
  return FlowgateModule.forRoot();
}
