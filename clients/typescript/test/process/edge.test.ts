import { readFileSync, readdirSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import type * as client from 'flowgate-client';
import { startUnitServer } from '../../../../test/support/unit-server.js';
import { afterSeqOf, frameOf, streamed } from '../support/event-streams.js';

/** What the edge has in common with browsers, and nothing of Node. */
const WEB = {
  fetch,
  URL,
  Headers,
  TextEncoder,
  TextDecoder,
  AbortController,
  AbortSignal,
  crypto,
  performance,
  setTimeout,
  clearTimeout,
};

/** The file for browsers as it was built before the tests of processes, in a world that knows no Node and forbids code made from text. */
function loaded(): typeof client {
  const context = createContext(
    { ...WEB, module: { exports: {} } },
    { codeGeneration: { strings: false, wasm: false } },
  );
  expect(() => runInContext('new Function("return 1")()', context)).toThrow('Code generation');
  const text = readFileSync('clients/typescript/dist/cjs/browser.js', 'utf8');
  return runInContext(`${text}\nmodule.exports`, context) as typeof client;
}

describe('the file for browsers, where there is nothing but the web’s own', () => {
  it('reads every fixture as the file for Node does', async () => {
    const here = new (loaded().FlowgateClient)();
    const node = new (await import('flowgate-client')).FlowgateClient();
    const folder = 'schemas/fixtures';
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.yaml'),
    );
    const outcome = (call: Promise<unknown>) =>
      call.catch(({ name, message, faults }: client.FlowgateValidationError) => ({ name, message, faults }));
    for (const file of files) {
      const yaml = readFileSync(`${folder}/${file}`, 'utf8');
      // Through JSON: objects of the other world have other prototypes.
      const [one, other] = await Promise.all([
        outcome(here.validateYaml(yaml)),
        outcome(node.validateYaml(yaml)),
      ]);
      expect({ file, said: JSON.stringify(one) }).toEqual({ file, said: JSON.stringify(other) });
    }
  });

  it('takes the path of a file for a text', async () => {
    const here = new (loaded().FlowgateClient)();
    await expect(here.validateYaml('schemas/fixtures/valid/dag.yaml')).rejects.toMatchObject({
      name: 'FlowgateValidationError',
    });
  });

  it('calls a service, and tries again', async () => {
    let tries = 0;
    const record = { runId: 'r', workflowId: 'w', status: 'running' };
    const server = await startUnitServer(() =>
      ++tries < 3 ? { status: 503, body: { error: 'busy' } } : { body: record },
    );
    const here = new (loaded().FlowgateClient)({ baseUrl: server.url, retries: { baseMs: 1 } });
    expect(await here.startWorkflow('a b/c', { n: 1 })).toMatchObject(record);
    expect(server.requests.map(({ url }) => url)).toEqual(Array(3).fill('/workflows/a%20b%2Fc/runs'));
    expect(new Set(server.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    await server.close();
  });

  it('watches a run over a line that is cut, and lets go of it', async () => {
    const cut = [30, 130, undefined];
    const server = await startUnitServer((request, response) => {
      const frames = [1, 2, 3].filter((seq) => seq > afterSeqOf(request)).map(frameOf);
      return streamed(frames.join(''), cut.shift())(request, response);
    });
    const here = new (loaded().FlowgateClient)({ baseUrl: server.url, retries: { baseMs: 1, maxMs: 5 } });
    const seqs: number[] = [];
    for await (const { seq } of here.watchRun('w', 'r')) if (seqs.push(seq) === 3) break;
    expect(seqs).toEqual([1, 2, 3]);
    await server.disconnected();
    await server.close();
  });
});
