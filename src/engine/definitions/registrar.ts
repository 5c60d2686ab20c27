import { YamlLoadError } from '../../errors/document-errors.js';
import type { JsonObject, JsonValue } from '../core/json.js';
import { compileWorkflow } from '../language/compile.js';
import { parseDocument } from '../language/parse-document.js';
import type { UnitNames } from '../language/unit-names.js';
import type { StoredDefinition } from '../ports/run-store.js';
import { parseBindings, unsupportedFields } from '../units/http/binding.js';
import type { Sealer } from './sealer.js';
import type { UnitRegistry } from '../units/unit-registry.js';
import type { Bindings, Definition } from './definition.js';

/** A workflow ready to be registered, as it is compiled and as it is stored. */
export interface Registration {
  readonly definition: Definition;
  readonly stored: StoredDefinition;
  readonly warnings: readonly string[];
}

/** Turns YAML text and bindings into definitions. */
export class Registrar {
  constructor(
    private readonly units: UnitRegistry,
    private readonly apiGroups: readonly string[],
    private readonly sealer: Sealer,
  ) {}

  /** Throws a `YamlValidationError` or a `YamlLoadError`. */
  prepare(yaml: string, givenBindings: unknown, registeredAt: number): Registration {
    return this.compile(yaml, givenBindings, registeredAt, (bindings) => this.namesWith(bindings));
  }

  private compile(
    yaml: string,
    givenBindings: unknown,
    registeredAt: number,
    names: (bindings: Bindings) => UnitNames,
  ): Registration {
    const parsed = parseDocument(yaml, { apiGroups: this.apiGroups });
    const bindings = readBindings(givenBindings);
    const { plan, warnings, checkInput } = compileWorkflow(parsed, names(bindings));
    const { metadata, spec } = parsed.document;
    const definition: Definition = {
      plan,
      yaml,
      bindings,
      description: metadata.description ?? null,
      labels: metadata.labels ?? {},
      flowType: typeof spec.flow === 'string' ? 'unit' : spec.flow.type,
      registeredAt,
      checkInput,
    };
    const stored = {
      hash: plan.hash,
      workflowId: plan.workflowId,
      yaml: this.sealer.seal(yaml),
      bindings: this.sealedBindings(bindings),
      registeredAt,
    };
    return { definition, stored, warnings };
  }

  /**
   * The definition that a stored one stands for. What was not bound then was registered in process; whether it
   * is today matters only when the unit is called.
   */
  restore({ yaml, bindings, registeredAt }: StoredDefinition): Definition {
    return this.compile(
      this.sealer.open(yaml),
      this.openBindings(bindings),
      registeredAt,
      namesAtRegistration,
    ).definition;
  }

  /** As they are stored: header values sealed one by one. */
  private sealedBindings(bindings: Bindings): JsonObject {
    const stored: Record<string, JsonValue> = {};
    for (const [uses, { type, endpoint, headers, timeoutMs }] of bindings) {
      const sealed = mapValues(headers, (value) => this.sealer.seal(value));
      stored[uses] = { type, endpoint, headers: sealed, ...(timeoutMs === null ? {} : { timeoutMs }) };
    }
    return stored;
  }

  private openBindings(stored: JsonObject): JsonObject {
    return Object.fromEntries(
      Object.entries(stored as Readonly<Record<string, StoredBinding>>).map(([uses, binding]) => [
        uses,
        { ...binding, headers: mapValues(binding.headers, (value) => this.sealer.open(value)) },
      ]),
    );
  }

  private namesWith(bindings: Bindings): UnitNames {
    const { units } = this;
    return {
      sourceOf: (uses) => {
        if (bindings.has(uses)) return units.has(uses) ? 'both' : 'http';
        return units.has(uses) ? 'in-process' : 'unknown';
      },
      known: () => [...bindings.keys(), ...units.names()],
      bound: () => bindings.keys(),
    };
  }
}

function namesAtRegistration(bindings: Bindings): UnitNames {
  return {
    sourceOf: (uses) => (bindings.has(uses) ? 'http' : 'in-process'),
    known: () => [],
    bound: () => bindings.keys(),
  };
}

function readBindings(given: unknown): Bindings {
  const parsed = parseBindings(given);
  const faults = parsed.ok ? unsupportedFields(parsed.bindings) : parsed.faults;
  if (!parsed.ok || faults.length > 0) {
    throw new YamlLoadError(faults.map(({ path, message }) => ({ path, line: null, column: null, message })));
  }
  return parsed.bindings;
}

type StoredBinding = JsonObject & { readonly headers: Readonly<Record<string, string>> };

function mapValues(headers: Readonly<Record<string, string>>, change: (value: string) => string) {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, change(value)]));
}
