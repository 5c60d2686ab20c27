import { HttpException } from '@nestjs/common';

const REFUSALS: readonly number[] = [401, 403];

/** Whether a host that names principals itself said that this one may not, in its own words. */
export function isRefusalOfHost(error: unknown): boolean {
  return error instanceof HttpException && REFUSALS.includes(error.getStatus());
}
