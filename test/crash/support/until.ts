import { until as untilSo } from '../../support/eventually.js';

/** As elsewhere, but with more patience: a service that was killed has to start and to recover. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  what: string,
  withinMs = 30_000,
): Promise<void> {
  await untilSo(isSo, what, withinMs);
}
