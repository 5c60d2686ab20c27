import type { JsonObject } from '../core/json.js';
import type { UnitRequest } from '../ports/unit-executor.js';

/** The same request with another config; its state is still put together only when it is read. */
export function withConfig(request: UnitRequest, config: JsonObject): UnitRequest {
  return {
    input: request.input,
    get state() {
      return request.state;
    },
    context: { ...request.context, config },
  };
}
