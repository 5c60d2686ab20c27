import { InProcessRunWatch } from '../drivers/local/in-process-run-watch.js';
import { LocalDriver } from '../drivers/local/local-driver.js';
import { DEFAULTS } from '../engine-defaults.js';
import type { EngineOptions } from '../engine-options.js';
import { auditOf } from '../ports/audit/audit-of.js';
import type { RunDriver } from '../ports/run-driver.js';
import { SILENT, unfailing } from '../runtime/logger.js';
import { systemClock } from '../runtime/system-clock.js';
import { LazyTracing } from '../runtime/telemetry/lazy-tracing.js';
import { unfailingTelemetry } from '../runtime/telemetry/unfailing-telemetry.js';
import { uuidIds } from '../runtime/uuid-ids.js';
import { AddressPolicy } from '../units/http/addresses/address-policy.js';
import { LargeResponses } from '../units/http/large-responses/large-responses.js';
import { LazyTransport } from '../units/http/transport/lazy-transport.js';
import { EnvironmentSecrets } from '../units/secrets/environment-secrets.js';

export type EnginePorts = ReturnType<typeof portsOf>;

/**
 * What an engine works with: what it was given, or the default in its place. `isClosing`: the engine takes nothing new any
 * more.
 */
export function portsOf(given: EngineOptions, isClosing: () => boolean) {
  const addresses = new AddressPolicy(given);
  const largeResponses = new LargeResponses();
  const { clock = systemClock, transport = overUndici(addresses, largeResponses), ids = uuidIds } = given;
  const logger = unfailing(given.logger ?? SILENT);
  const driver: RunDriver = given.driver ?? new LocalDriver({ clock, logger });
  const { watch = new InProcessRunWatch() } = given;
  const secrets = given.secrets ?? new EnvironmentSecrets({ environment: process.env, folder: null });
  const options = { ...DEFAULTS, ...given, clock, logger, transport, secrets };
  return {
    options,
    /** Null: it is off. */
    audit: options.audit ? auditOf(options.store) : null,
    addresses,
    largeResponses,
    ids,
    driver,
    watch,
    /** False: the default one, which knows of this process alone. */
    isWatchGiven: given.watch !== undefined,
    telemetry: options.telemetry === null ? null : unfailingTelemetry(options.telemetry, logger),
    tracing: new LazyTracing(options.tracing, logger),
    isClosing,
  };
}

function overUndici(addresses: AddressPolicy, largeResponses: LargeResponses): LazyTransport {
  return new LazyTransport(async () => {
    const { createTransport } = await import('../units/http/transport/undici-transport.js');
    return createTransport({ addresses, largeResponses });
  });
}
