import { parentPort } from 'node:worker_threads';
import { giveWay } from './give-way.js';
import { READY, type DocumentsJob } from './job.js';
import { perform } from './perform.js';

/** The other side of `JobThread`: one job after the other. */
const port = parentPort;
if (port === null) throw new Error('This file runs in a worker thread');
giveWay();
port.on('message', (job: DocumentsJob) => port.postMessage(perform(job)));
port.postMessage(READY);
