import { jest } from '@jest/globals';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { limitComputing } from './computing-limit.js';

const LIMIT_MS = 300;
const workers: Worker[] = [];
afterEach(() => Promise.all(workers.splice(0).map((worker) => worker.terminate())));

/** A thread that reports when it begins, and then runs that code. */
async function thread(code: string): Promise<Worker> {
  const worker = new Worker(`require('node:worker_threads').parentPort.postMessage('begun'); ${code}`, {
    eval: true,
  });
  workers.push(worker);
  await once(worker, 'message');
  return worker;
}

/** Ms after which the limit fires. */
async function firedAfter(worker: Worker): Promise<number> {
  const begin = performance.now();
  await new Promise<void>((over) => limitComputing(worker, LIMIT_MS, over));
  return performance.now() - begin;
}

const COMPUTES = 'for (;;);';
const RESTS = 'for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);';

it('a thread that rests has three times as long as one that computes', async () => {
  const [computes, rests] = [await thread(COMPUTES), await thread(RESTS)];
  const [first, second] = await Promise.all([firedAfter(computes), firedAfter(rests)]);
  expect(first).toBeGreaterThanOrEqual(LIMIT_MS - 1);
  expect(second).toBeGreaterThanOrEqual(3 * LIMIT_MS - 1);
  expect(first).toBeLessThan(second);
});

it('what ended before, or was ended, fires once or never', async () => {
  const worker = await thread(COMPUTES);
  const over = jest.fn();
  limitComputing(worker, LIMIT_MS, over);
  const end = limitComputing(worker, LIMIT_MS, over);
  end();
  await worker.terminate();
  await new Promise((done) => setTimeout(done, 4 * LIMIT_MS));
  expect(over).toHaveBeenCalledTimes(1);
});
