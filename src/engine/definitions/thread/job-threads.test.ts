import { builtDocumentWorker as url } from '../../../../test/support/built-document-worker.js';
import { compileJob, endlessJob } from '../../../../test/support/document-jobs.js';
import { yamlOf } from '../../../../test/support/registrars.js';
import { JobThread } from './job-thread.js';
import { JobThreads } from './job-threads.js';

const threads: (JobThread | JobThreads)[] = [];
afterEach(() => Promise.all(threads.splice(0).map((thread) => thread.close())));

function started<Thread extends JobThread | JobThreads>(thread: Thread): Thread {
  threads.push(thread);
  return thread;
}

const short = compileJob(yamlOf('w'));
const long = compileJob(`a: [${'{a},'.repeat(20_000)}1]`);

/** The names of the jobs in the order in which they were done. */
async function doneInOrder(jobs: readonly (readonly [string, Promise<unknown>])[]): Promise<string[]> {
  const order: string[] = [];
  await Promise.all(jobs.map(([name, done]) => done.then(() => order.push(name))));
  return order;
}

it('one thread serves callers in rounds, one job each, however many one of them gave it', async () => {
  const thread = started(new JobThread({ name: 'document compiler', url }));
  const jobs = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'];
  const order = await doneInOrder(jobs.map((name) => [name, thread.do(short, name.charAt(0))] as const));
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
});

it('one that gave it more than may wait is refused, and nobody else', async () => {
  const thread = started(new JobThread({ name: 'document compiler', url, maxWaiting: 3 }));
  const mine = Array.from({ length: 5 }, () => thread.do(short, 'a'));
  const refused = Promise.all(mine.slice(3).map((one) => one.catch(({ code }: { code: string }) => code)));
  await expect(thread.do(short, 'b')).resolves.toMatchObject({ kind: 'compiled' });
  expect(await refused).toEqual(expect.arrayContaining(['busy', 'busy']));
});

it('short documents of others wait for no long one', async () => {
  const both = started(new JobThreads({ name: 'document compiler', url }));
  const order = await doneInOrder([
    ...['a1', 'a2', 'a3'].map((name) => [name, both.do(long, 'a')] as const),
    ['b', both.do(short, 'b')],
    ['c', both.do(long, 'c')],
  ]);
  expect(order).toEqual(['b', 'a1', 'c', 'a2', 'a3']);
}, 30_000);

it('what only looks short is done among the long, and so is the other work of that caller for a while', async () => {
  const both = started(new JobThreads({ name: 'input checker', url, timeLimitMs: 3_000 }));
  const stuck = both.do(endlessJob, 'a');
  const ofAnother = both.do(short, 'b');
  await expect(Promise.race([ofAnother, stuck])).resolves.toMatchObject({ kind: 'compiled' });
  const order = await doneInOrder([
    ['stuck', stuck],
    ['more of a', both.do(short, 'a')],
    ['more of b', both.do(short, 'b')],
  ]);
  expect(order).toEqual(['more of b', 'stuck', 'more of a']);
  expect(await stuck).toBe('time');
}, 30_000);
