import type { AppendRequest, AppendResult } from '../../ports/store/append.js';
import type { RunLog } from '../../ports/store/run-log.js';
import type { Telemetry } from '../../ports/telemetry.js';

/** Appends, and reports how long it took. Where the store answers synchronously, so does this. */
export function meteredAppend(
  store: Pick<RunLog, 'append'>,
  request: AppendRequest,
  telemetry: Telemetry | null,
): AppendResult | Promise<AppendResult> {
  if (telemetry === null) return store.append(request);
  const begunAt = performance.now();
  const appending = store.append(request);
  if (typeof appending === 'string') {
    telemetry.appended(appending, performance.now() - begunAt);
    return appending;
  }
  return appending.then(
    (result) => {
      telemetry.appended(result, performance.now() - begunAt);
      return result;
    },
    (error: unknown) => {
      telemetry.appended('failed', performance.now() - begunAt);
      throw error;
    },
  );
}
