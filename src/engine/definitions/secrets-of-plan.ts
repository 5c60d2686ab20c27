import type { Plan } from '../core/plan/plan.js';
import { secretNames } from '../units/secrets/secret-reference.js';

/** The secrets that the configs of a plan's units name, each once. */
export function secretsOf({ units }: Pick<Plan, 'units'>): readonly string[] {
  return [...new Set([...units.values()].flatMap(({ config }) => [...secretNames(config)]))];
}
