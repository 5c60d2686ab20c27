import { parentPort } from 'node:worker_threads';
import { READY, type DocumentsJob } from './job.js';
import { perform } from './perform.js';

/** The worker's side of `JobThread`: it does one job after another. */
const port = parentPort;
if (port === null) throw new Error('This file runs in a worker thread');
port.on('message', (job: DocumentsJob) => port.postMessage(perform(job)));
port.postMessage(READY);
