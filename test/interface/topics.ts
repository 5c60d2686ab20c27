/**
 * The interface by sentences, in plain `fetch`, so that it can be asked of a service anywhere: the standalone one, and
 * Flowgate inside a host, below a prefix and behind a guard.
 */
import { bodies } from './portable/bodies.ts';
import { decisions } from './portable/decisions.ts';
import { defaultResponder } from './portable/default-responder.ts';
import { health, listing, schema } from './portable/health.ts';
import { idempotencyKeys } from './portable/idempotency-keys.ts';
import { mcp } from './portable/mcp.ts';
import { memorySearch } from './portable/memory-search.ts';
import { readingRuns } from './portable/reading-runs.ts';
import { registration } from './portable/registration.ts';
import { remoteUnits } from './portable/remote-units.ts';
import { resumingRuns } from './portable/resuming-runs.ts';
import { startingRuns } from './portable/starting-runs.ts';
import { pathsAndMethods } from './standalone/paths-and-methods.ts';
import { webPages } from './standalone/web-pages.ts';
import type { Topic } from './support/topic.ts';

/** What the controllers answer, wherever they are. */
export const PORTABLE: readonly Topic[] = [
  health,
  listing,
  schema,
  registration,
  startingRuns,
  readingRuns,
  resumingRuns,
  decisions,
  defaultResponder,
  memorySearch,
  mcp,
  bodies,
  idempotencyKeys,
  remoteUnits,
];

/** What only a service that has its server to itself can answer. */
export const STANDALONE: readonly Topic[] = [pathsAndMethods, webPages];
