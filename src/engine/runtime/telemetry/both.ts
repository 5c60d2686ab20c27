import type { Telemetry } from '../../ports/telemetry.js';

/** Tells both of them; null where there is nobody to tell. */
export function bothOf(one: Telemetry | null, other: Telemetry | null): Telemetry | null {
  if (one === null || other === null) return one ?? other;
  const all = [one, other];
  return {
    runStarted: () => all.forEach((each) => each.runStarted()),
    runEnded: (...told) => all.forEach((each) => each.runEnded(...told)),
    attempted: (...told) => all.forEach((each) => each.attempted(...told)),
    appended: (...told) => all.forEach((each) => each.appended(...told)),
    committed: (...told) => all.forEach((each) => each.committed(...told)),
  };
}
