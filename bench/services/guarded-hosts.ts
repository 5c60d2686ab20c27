// Hosts of one process, each with a store of its own in `BENCH_FOLDER`: on `PORT` and the first of `BENCH_PORTS` as it comes, on the
// second with keys, on the third with keys and the audit. In one process the same compiled code serves all of them.
import 'reflect-metadata';
import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FlowgateModule, SqliteRunStore } from '../../dist/index.js';

const {
  BENCH_FOLDER: folder = '',
  BENCH_PORTS: others = '',
  BENCH_KEY_SHA256: bootstrapKeySha256,
} = process.env;
const [again, keys, audited] = others.split(' ').map(Number);
const auth = (audit: boolean) => ({ keys: { bootstrapKeySha256 }, audit });

async function serve(port: number, options: object): Promise<void> {
  class HostModule {}
  const store = new SqliteRunStore({ folder: join(folder, String(port)) });
  Module({ imports: [FlowgateModule.forRoot({ store, ...options })] })(HostModule);
  const app = await NestFactory.create(HostModule, { logger: ['error'] });
  app.enableShutdownHooks();
  await app.listen(port, '127.0.0.1');
}

await serve(again!, {});
await serve(keys!, { auth: auth(false) });
await serve(audited!, { auth: auth(true) });
await serve(Number(process.env['PORT']), {});
