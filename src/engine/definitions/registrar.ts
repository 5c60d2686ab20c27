import { YamlLoadError } from '../../errors/document-errors.js';
import { BINDABLE_BUILTIN, BUILTIN_PREFIX } from '../language/builtins.js';
import { NO_CEILINGS, tooLong, type Ceilings } from '../language/ceilings.js';
import { compileWorkflow } from '../language/compile.js';
import type { WorkflowDocument } from '../language/document.js';
import { laterInputCheck } from '../language/input-schema.js';
import { FIRST_LANGUAGE, LANGUAGE, type Language } from '../language/language.js';
import { parseDocument, readAcceptedDocument } from '../language/parse-document.js';
import type { UnitNames } from '../language/unit-names.js';
import type { StoredDefinition } from '../ports/run-store.js';
import { parseBindings, unsupportedFields } from '../units/http/binding.js';
import type { UnitRegistry } from '../units/unit-registry.js';
import type { Bindings, Definition } from './definition.js';
import { planText, readPlanText, type About } from './plan-text.js';
import type { Sealer } from './sealer.js';
import { openBindings, sealBindings } from './stored-bindings.js';

export interface PrepareRequest {
  readonly yaml: string;
  /** By `uses` name, as they came (interface, UsesBindings). */
  readonly bindings: unknown;
  readonly namespace: string;
  /** Epoch ms. */
  readonly registeredAt: number;
}

/** A workflow ready to be registered, as it is compiled and as it is stored. */
export interface PreparedWorkflow {
  readonly definition: Definition;
  readonly stored: StoredDefinition;
  readonly warnings: readonly string[];
}

/** A definition out of the store, and what the store should keep of it from now on; null: what it has. */
export interface RestoredDefinition {
  readonly definition: Definition;
  readonly better: StoredDefinition | null;
}

/** Turns YAML text and bindings into definitions, and stored ones into definitions again. */
export class Registrar {
  constructor(
    private readonly units: UnitRegistry,
    private readonly apiGroups: readonly string[],
    private readonly sealer: Sealer,
    private readonly language: Language = LANGUAGE,
    private readonly ceilings: Ceilings = NO_CEILINGS,
  ) {}

  /** Throws a `YamlValidationError` or a `YamlLoadError`. */
  prepare({ yaml, bindings: given, namespace, registeredAt }: PrepareRequest): PreparedWorkflow {
    const parsed = parseDocument(yaml, { apiGroups: this.apiGroups });
    const bindings = readBindings(given, this.units, this.ceilings);
    const names = this.namesWith(bindings);
    const { plan, warnings, checkInput } = compileWorkflow(parsed, names, this.language, this.ceilings);
    const about = aboutOf(parsed.document, this.language);
    const { description, labels, flowType } = about;
    return {
      definition: {
        namespace,
        plan,
        yaml,
        bindings,
        description,
        labels,
        flowType,
        registeredAt,
        checkInput,
      },
      stored: {
        namespace,
        hash: plan.hash,
        workflowId: plan.workflowId,
        yaml: this.sealer.seal(yaml),
        bindings: sealBindings(bindings, this.sealer),
        plan: this.sealer.seal(planText(plan, about)),
        registeredAt,
      },
      warnings,
    };
  }

  /**
   * The definition that was stored: its own plan, whatever the language, the schema and the settings say today.
   * What was not bound then was registered in process; whether it is today matters only when the unit is called.
   * Throws an `UnreadablePlanError` or a `SealedError`.
   */
  restore(stored: StoredDefinition): RestoredDefinition {
    if (stored.plan === null) return this.restoreFirst(stored);
    const { plan, about } = readPlanText(this.sealer.open(stored.plan));
    return { definition: this.definitionOf(stored, plan, about), better: null };
  }

  /**
   * The definition of a workflow that is to be registered again: it must be one that is accepted today, but for its
   * in-process units, which may come later. It keeps its own plan. Throws as `prepare` and `restore` do.
   */
  readmit(stored: StoredDefinition): RestoredDefinition {
    const parsed = parseDocument(this.sealer.open(stored.yaml), { apiGroups: this.apiGroups });
    const bindings = openBindings(stored.bindings, this.sealer);
    compileWorkflow(parsed, namesAtRegistration(bindings), this.language);
    return this.restore(stored);
  }

  /** A definition from before plans were stored: compiled once, as it was then, and kept under the hash it had. */
  private restoreFirst(stored: StoredDefinition): RestoredDefinition {
    const { document, positions } = readAcceptedDocument(this.sealer.open(stored.yaml));
    const { input: _checkedWhenUsed, ...spec } = document.spec;
    const names = namesAtRegistration(openBindings(stored.bindings, this.sealer));
    const compiled = compileWorkflow({ document: { ...document, spec }, positions }, names, FIRST_LANGUAGE);
    const plan = { ...compiled.plan, hash: stored.hash };
    const about = aboutOf(document, FIRST_LANGUAGE);
    return {
      definition: this.definitionOf(stored, plan, about),
      better: { ...stored, plan: this.sealer.seal(planText(plan, about)) },
    };
  }

  private definitionOf(stored: StoredDefinition, plan: Definition['plan'], about: About): Definition {
    const { namespace, registeredAt } = stored;
    const { description, labels, flowType, input } = about;
    return {
      namespace,
      plan: this.withinCeiling(plan),
      yaml: this.sealer.open(stored.yaml),
      bindings: openBindings(stored.bindings, this.sealer),
      description,
      labels,
      flowType,
      registeredAt,
      checkInput: input === null ? null : laterInputCheck(input),
    };
  }

  /** A run that starts by a plan of before, or of another setting, has no more time than is given today. */
  private withinCeiling(plan: Definition['plan']): Definition['plan'] {
    const { workflowMs } = this.ceilings;
    return plan.workflowMs === null || plan.workflowMs <= workflowMs ? plan : { ...plan, workflowMs };
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

function aboutOf({ metadata, spec }: WorkflowDocument, language: Language): About {
  return {
    language: language.revision,
    description: metadata.description ?? null,
    labels: metadata.labels ?? {},
    flowType: typeof spec.flow === 'string' ? 'unit' : spec.flow.type,
    input: spec.input ?? null,
  };
}

function namesAtRegistration(bindings: Bindings): UnitNames {
  return {
    sourceOf: (uses) => (bindings.has(uses) ? 'http' : 'in-process'),
    known: () => [],
    bound: () => bindings.keys(),
  };
}

function readBindings(given: unknown, units: UnitRegistry, ceilings: Ceilings): Bindings {
  const parsed = parseBindings(given);
  const faults = parsed.ok
    ? [
        ...boundBuiltins(parsed.bindings),
        ...unsupportedFields(parsed.bindings),
        ...refusedEndpoints(parsed.bindings, units),
        ...overCeiling(parsed.bindings, ceilings),
      ]
    : parsed.faults;
  if (!parsed.ok || faults.length > 0) {
    throw new YamlLoadError(faults.map(({ path, message }) => ({ path, line: null, column: null, message })));
  }
  return parsed.bindings;
}

/** What no call would ever reach is said now; names that lead to refused addresses are known when they are called. */
function refusedEndpoints(bindings: Bindings, units: UnitRegistry) {
  return [...bindings].flatMap(([name, binding]) => {
    const refusal = units.refusalOf(binding);
    const path = `bindings[${JSON.stringify(name)}].endpoint`;
    return refusal === null ? [] : [{ path, message: `${path} ${refusal}` }];
  });
}

function overCeiling(bindings: Bindings, { unitMs }: Ceilings) {
  return [...bindings].flatMap(([name, { timeoutMs }]) => {
    if (timeoutMs === null || timeoutMs <= unitMs) return [];
    const path = `bindings[${JSON.stringify(name)}].timeoutMs`;
    return [{ path, message: tooLong(path, timeoutMs, unitMs, 'FLOWGATE_MAX_UNIT_MS') }];
  });
}

/** Whoever binds a built-in expects it to be called elsewhere; it never would be. */
function boundBuiltins(bindings: Bindings) {
  return [...bindings.keys()]
    .filter((name) => name.startsWith(BUILTIN_PREFIX) && name !== BINDABLE_BUILTIN)
    .map((name) => {
      const path = `bindings[${JSON.stringify(name)}]`;
      return { path, message: `${path} names a built-in: built-ins take no binding; leave it out` };
    });
}
