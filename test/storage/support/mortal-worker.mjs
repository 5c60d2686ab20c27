// Returns each message; fails, dies or says which thread it is on demand.
import { threadId } from 'node:worker_threads';
import { serve } from '../../../.tmp/sqlite-worker/storage/sqlite/threads/serve.js';

serve({
  handle: (message) => {
    if (message === 'die') process.exit(1);
    if (message === 'fail') throw new Error('as you wish');
    return message === 'which' ? `${threadId}` : message;
  },
  close: () => {},
});
