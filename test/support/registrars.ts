import { Registrar } from '../../src/engine/definitions/registrar.js';
import { OffLoop } from '../../src/engine/definitions/thread/off-loop.js';
import { Sealer } from '../../src/engine/definitions/sealer.js';
import type { Language } from '../../src/engine/language/language.js';
import { AddressPolicy } from '../../src/engine/units/http/addresses/address-policy.js';
import { LargeResponses } from '../../src/engine/units/http/large-responses/large-responses.js';
import { UnitRegistry } from '../../src/engine/units/unit-registry.js';
import { ManualClock } from '../../src/engine/testing/manual-clock.js';
import { RecordingLogger } from '../../src/engine/testing/recording-logger.js';
import { InMemoryMemoryIndex } from '../../src/engine/in-memory/in-memory-memory-index.js';
import type { UnitTransport } from '../../src/engine/ports/unit-transport.js';

export interface RegistrarOptions {
  /** Names that are registered in process. Default: `work`. */
  readonly units?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly key?: Uint8Array | null;
  readonly language?: Language;
}

const UNREACHABLE: UnitTransport = {
  post: async () => ({ kind: 'network-error', reason: 'unreachable' }),
  close: async () => undefined,
};

/** A registrar of its own, as one process would have it. */
export function registrarOf(options: RegistrarOptions = {}): Registrar {
  const { units = ['work'], apiGroups = ['flowgate'], key = null, language } = options;
  const registry = new UnitRegistry({
    transport: UNREACHABLE,
    clock: new ManualClock(),
    secrets: { read: async () => null },
    logger: new RecordingLogger(),
    maxResponseBytes: 1_000,
    addresses: new AddressPolicy(),
    largeResponses: new LargeResponses(),
    memory: new InMemoryMemoryIndex(),
  });
  for (const uses of units) registry.register(uses, { handler: () => null });
  return new Registrar(registry, apiGroups, new Sealer(key), new OffLoop(null), language);
}

/** One unit, and whatever else a document is to say. */
export function yamlOf(id: string, spec: object = {}, rest: object = {}): string {
  return JSON.stringify({
    apiVersion: 'flowgate/v1',
    kind: 'Workflow',
    metadata: { id, ...rest },
    spec: { units: [{ id: 'a', uses: 'work' }], flow: { type: 'sequential' }, ...spec },
  });
}
