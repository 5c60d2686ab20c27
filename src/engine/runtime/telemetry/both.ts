import type { Telemetry } from '../../ports/telemetry.js';

/** Reports to both of them; null where there are none. */
export function bothOf(one: Telemetry | null, other: Telemetry | null): Telemetry | null {
  if (one === null || other === null) return one ?? other;
  const all = [one, other];
  return {
    runStarted: () => all.forEach((each) => each.runStarted()),
    runEnded: (...args) => all.forEach((each) => each.runEnded(...args)),
    attempted: (...args) => all.forEach((each) => each.attempted(...args)),
    appended: (...args) => all.forEach((each) => each.appended(...args)),
    committed: (...args) => all.forEach((each) => each.committed(...args)),
  };
}
