// Preloaded into every Jest process of a mutation run. A mutant can loop for ever, and then no timer of its own process
// fires: this thread ends the process when the runner is gone, however the runner was ended.
import { isMainThread, Worker } from 'node:worker_threads';

const WATCH = `
const runner = process.ppid;
setInterval(() => process.ppid !== runner && process.kill(process.pid, 'SIGKILL'), 1_000);
`;

if (isMainThread) new Worker(WATCH, { eval: true, execArgv: [] }).unref();
