import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { WatchOrder, WatchReport } from './watch-report.js';

const SCRIPT = join(process.cwd(), 'test/hostile/support/watcher-process.ts');

/** A client that sends requests all the time, and does not wait for responses. */
export interface Watcher {
  /** Ends the watch. */
  report(): Promise<WatchReport>;
  stop(): void;
}

/** Resolves as soon as it sends requests. */
export async function startWatcher(order: WatchOrder): Promise<Watcher> {
  const child = fork(SCRIPT, [], { execArgv: ['--disable-warning=ExperimentalWarning'] });
  const ended = once(child, 'exit');
  const said = async (): Promise<unknown> => (await Promise.race([once(child, 'message'), ended]))[0];
  child.send(order);
  if ((await said()) !== 'watching') throw new Error('The watcher could not begin.');
  return {
    async report() {
      child.send('report');
      const report = await said();
      if (typeof report !== 'object' || report === null) throw new Error('The watcher ended by itself.');
      return report as WatchReport;
    },
    stop: () => void child.kill('SIGKILL'),
  };
}
