import { builtDocumentWorker as url } from '../../../../test/support/built-document-worker.js';
import { compileJob, endlessJob } from '../../../../test/support/document-jobs.js';
import { yamlOf } from '../../../../test/support/registrars.js';
import { JobThread, type JobThreadOptions } from './job-thread.js';

const threads: JobThread[] = [];
afterAll(() => Promise.all(threads.map((thread) => thread.close())));

function threadWith(options: Partial<JobThreadOptions> = {}): JobThread {
  const thread = new JobThread({ name: 'document compiler', url, ...options });
  threads.push(thread);
  return thread;
}

const small = compileJob(yamlOf('w'));
const large = compileJob(`a: [${'{a},'.repeat(200_000)}1]`);

describe('the thread for documents and inputs', () => {
  it('does one job after the other, in their order', async () => {
    const thread = threadWith();
    const order: string[] = [];
    const done = (name: string) => () => void order.push(name);
    await Promise.all([
      thread.do(large).then(done('large')),
      thread.do(small).then(done('small')),
      thread.do(compileJob('')).then(done('nothing')),
    ]);
    expect(order).toEqual(['large', 'small', 'nothing']);
  });

  it('gives up a job that takes too long, and does the next one in a new thread', async () => {
    const thread = threadWith({ timeLimitMs: 1_000 });
    const [stuck, next] = await Promise.all([thread.do(endlessJob), thread.do(small)]);
    expect(stuck).toBe('time');
    expect(next).toMatchObject({ kind: 'compiled' });
  });

  it('gives up a job that takes too much memory, and does the next one in a new thread', async () => {
    const thread = threadWith({ heapMb: 32 });
    const [greedy, next] = await Promise.all([thread.do(large), thread.do(small)]);
    expect(greedy).toBe('memory');
    expect(next).toMatchObject({ kind: 'compiled' });
  });

  it('refuses jobs beyond its bound', async () => {
    const thread = threadWith({ maxWaiting: 1 });
    const first = thread.do(small);
    const second = thread.do(small);
    await expect(thread.do(small)).rejects.toMatchObject({ code: 'busy', retryable: true });
    await expect(Promise.all([first, second])).resolves.toMatchObject([
      { kind: 'compiled' },
      { kind: 'compiled' },
    ]);
  });

  it('says so when it cannot begin', async () => {
    const thread = threadWith({ url: new URL('nowhere.js', url) });
    await expect(thread.do(small)).resolves.toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('the document compiler thread failed'),
    });
  });

  it('releases what is under way and what waits when it is closed', async () => {
    const thread = threadWith();
    const both = Promise.all([thread.do(endlessJob), thread.do(small)]);
    await thread.close();
    expect(await both).toEqual(['closed', 'closed']);
    expect(await thread.do(small)).toBe('closed');
  });
});
