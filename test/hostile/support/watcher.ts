import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { WatchOrder, WatchReport } from './watch-report.js';

const SCRIPT = join(process.cwd(), 'test/hostile/support/watcher-process.ts');

/** Somebody who asks all the time, and waits for nobody. */
export interface Watcher {
  /** Ends it. */
  report(): Promise<WatchReport>;
  stop(): void;
}

export function startWatcher(order: WatchOrder): Watcher {
  const child = fork(SCRIPT, [], { execArgv: ['--disable-warning=ExperimentalWarning'] });
  const ended = once(child, 'exit');
  child.send(order);
  return {
    async report() {
      child.send('report');
      const [report] = (await Promise.race([once(child, 'message'), ended])) as [WatchReport | number];
      if (typeof report !== 'object') throw new Error(`The watcher ended with ${report}.`);
      return report;
    },
    stop: () => void child.kill('SIGKILL'),
  };
}
