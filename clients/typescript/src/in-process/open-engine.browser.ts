import { FlowgateUnreachableError } from '../errors/unreachable-error.js';
import type { EngineLike } from './engine-like.js';

/** Here nothing can run workflows. */
export function openEngine(): Promise<EngineLike> {
  return Promise.reject(
    new FlowgateUnreachableError('Workflows run in Node alone: give the baseUrl of a service', {
      code: 'ENGINE_MISSING',
    }),
  );
}
