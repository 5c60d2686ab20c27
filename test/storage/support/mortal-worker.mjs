// Answers each message with itself; fails or dies on demand.
import { serve } from '../../../.tmp/sqlite-worker/storage/sqlite/threads/serve.js';

serve({
  handle: (message) => {
    if (message === 'die') process.exit(1);
    if (message === 'fail') throw new Error('as you wish');
    return message;
  },
  close: () => {},
});
