// DBOS behind `node:http`: a workflow of three steps, started and waited for by each request.
import { createServer } from 'node:http';
import { DBOS } from '@dbos-inc/dbos-sdk';

DBOS.setConfig({
  name: 'bench',
  systemDatabaseUrl: process.env['BENCH_DATABASE'] ?? '',
  logLevel: 'error',
});

const three = DBOS.registerWorkflow(
  async (input: unknown) => {
    const output: Record<string, unknown> = { input };
    for (const unit of ['a', 'b', 'c']) {
      output[unit] = await DBOS.runStep(async () => ({ ok: true }), { name: unit });
    }
    return output;
  },
  { name: 'three' },
);
await DBOS.launch();

createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => void answer());
  async function answer(): Promise<void> {
    try {
      const output =
        request.method === 'POST' ? await three(JSON.parse(Buffer.concat(pieces).toString())) : {};
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(output));
    } catch (error) {
      response.statusCode = 500;
      response.end(String(error));
    }
  }
}).listen(Number(process.env['PORT']), '127.0.0.1');
