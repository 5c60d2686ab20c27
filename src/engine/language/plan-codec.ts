import type { JsonObject } from '../core/json.js';
import type { Plan } from '../core/plan/plan.js';

export function encodePlan(_plan: Plan): JsonObject {
  throw new Error('not written yet');
}

export function decodePlan(_json: JsonObject): Plan {
  throw new Error('not written yet');
}
