import { anonymous, identified, type Actor } from '../engine/index.js';
import type { Arrival } from '../http/arrival.js';

/** `claimed` is whom the body names: it counts where the host says nothing of who acts. */
export function whoActs({ via, person }: Arrival, claimed?: string): Actor {
  if (typeof person === 'string') return identified(via, person);
  return anonymous(via, person === undefined ? claimed : undefined);
}
