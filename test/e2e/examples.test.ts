import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { startService, type Service } from '../support/service.js';

const run = promisify(execFile);
const folder = new URL('../../examples/', import.meta.url);
const examples = readdirSync(folder)
  .filter((name) => /^\d\d-/.test(name))
  .sort();

describe('an example', () => {
  let service: Service;

  beforeAll(async () => {
    service = await startService();
  });

  afterAll(() => service.close());

  it.each(examples)('%s plays on the service and checks its own result', async (name) => {
    const script = new URL(`${name}/run.mjs`, folder).pathname;
    const { stdout } = await run(process.execPath, [script], {
      env: { ...process.env, FLOWGATE_URL: service.url, NODE_OPTIONS: '' },
    });
    expect(stdout).toContain('"status": "completed"');
  });
});
