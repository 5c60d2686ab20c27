import { parentPort } from 'node:worker_threads';
import { InvalidRequestError } from '../../../../errors/request-errors.js';
import type { JsonValue } from '../../../core/json.js';
import { decodeState } from '../../../core/state/codec/state-codec.js';
import { atOnce } from '../../../core/steps.js';
import { readPlanText } from '../../../definitions/plan-text.js';
import { READY, type FollowJob, type JobResult } from '../../../definitions/thread/job.js';
import { logSteps } from '../checked-log.js';
import { exportSteps } from '../read-export.js';
import { followSteps } from './followed-log.js';

/** The worker of `LogChecker`: it follows exports sequentially. */
const port = parentPort;
if (port === null) throw new Error('This file runs in a worker thread');
port.on('message', (job: FollowJob) => port.postMessage(follow(job)));
port.postMessage(READY);

/** Never throws. */
function follow({ ndjson, plan: text, source }: FollowJob): JobResult {
  try {
    const events = atOnce(logSteps(atOnce(exportSteps(Buffer.from(ndjson)))));
    const { plan } = readPlanText(text);
    const state = source === null ? null : decodeState(JSON.parse(source) as JsonValue);
    atOnce(followSteps({ events, plan, source: state }));
    return { kind: 'followed', problem: null };
  } catch (error) {
    if (error instanceof InvalidRequestError) return { kind: 'followed', problem: error.message };
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { kind: 'failed', message };
  }
}
