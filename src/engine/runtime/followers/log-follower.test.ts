import { runLogFollowerContract } from '../../testing/contract/log-follower.js';
import { LogOnlyStore } from '../../testing/log-only-store.js';

runLogFollowerContract('log only', async () => ({ store: new LogOnlyStore(), dispose: async () => {} }));
