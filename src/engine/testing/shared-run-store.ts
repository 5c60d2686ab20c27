import type { RunStore } from '../ports/store/run-store.js';

/**
 * One store for several engines of one process, as a database is one for several processes: each gets a view of its own. The
 * first `open` opens the store and every other one returns the same boot; the last `close` closes it.
 */
export function sharedRunStore(store: RunStore, engines: number): readonly RunStore[] {
  let boot: ReturnType<RunStore['open']> | null = null;
  let open = engines;
  return Array.from({ length: engines }, () => {
    let isClosed = false;
    return viewOf(store, {
      open: () => {
        boot ??= store.open();
        return boot;
      },
      close: async () => {
        if (isClosed) return;
        isClosed = true;
        open -= 1;
        if (open === 0) await store.close();
      },
    });
  });
}

function viewOf(store: RunStore, own: Pick<RunStore, 'open' | 'close'>): RunStore {
  return new Proxy(store, {
    get: (target, name: keyof RunStore) => {
      if (name === 'open' || name === 'close') return own[name];
      const member: unknown = target[name];
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}
