import { YamlLoadError } from '../../errors/document-errors.js';
import { deepFreeze } from '../core/freeze.js';
import type { Plan } from '../core/plan/plan.js';
import { BINDABLE_BUILTIN, BUILTIN_PREFIX, BUILTINS } from '../language/builtins.js';
import { NO_CEILINGS, tooLong, type Ceilings } from '../language/ceilings.js';
import type { NamedChild } from '../language/compiler/named-children.js';
import { type DocumentWarning, sentencesOf } from '../language/document-warning.js';
import { FIRST_LANGUAGE, LANGUAGE, type Language } from '../language/language.js';
import type { StoredDefinition } from '../ports/store/definition-store.js';
import { parseBindings, unsupportedFields } from '../units/http/binding.js';
import { callerIn } from '../scheduling/caller.js';
import { secretNames } from '../units/secrets/secret-reference.js';
import type { UnitRegistry } from '../units/unit-registry.js';
import type { DocumentJob } from './compile-document.js';
import type { Bindings, Definition } from './definition.js';
import type { OffLoop } from './thread/off-loop.js';
import { jobOfExported, usesOf, type ExportedDefinition } from './exported-definition.js';
import { languageTools } from './language-tools.js';
import type { About } from './plan-text.js';
import type { Sealer } from './sealer.js';
import { secretsOf } from './secrets-of-plan.js';
import { openBindings, sealBindings } from './stored-bindings.js';

export interface PrepareRequest {
  readonly yaml: string;
  /** The bindings by `uses` name, as received (interface, UsesBindings). */
  readonly bindings: unknown;
  readonly namespace: string;
  /** Epoch ms. */
  readonly registeredAt: number;
  /** Whose share of the threads it takes. Default: one share for all requests without a caller. */
  readonly caller?: string | undefined;
}

/** A workflow ready to be registered, as it is compiled and as it is stored. */
export interface PreparedWorkflow {
  readonly definition: Definition;
  readonly stored: StoredDefinition;
  readonly warnings: readonly DocumentWarning[];
  /** What its units start runs of. */
  readonly children: readonly NamedChild[];
}

export interface PreparedImport extends PreparedWorkflow {
  /** The plan's text as it is stored, but never sealed. */
  readonly planText: string;
}

export interface CheckRequest {
  readonly yaml: string;
  /** Where it would be registered. */
  readonly namespace: string;
  /** The bindings by `uses` name, as received (interface, UsesBindings). */
  readonly bindings: unknown;
  /** Whether unknown names are accepted: the service at which the workflow will be registered may know them. */
  readonly anyUses: boolean;
  readonly caller?: string | undefined;
}

/** What would be registered. */
export interface CheckedWorkflow {
  readonly workflowId: string;
  /** Sentences about what is accepted but probably not meant. */
  readonly warnings: readonly string[];
  /** The same, in the same order, with what they are about and where that is. */
  readonly warningDetails: readonly DocumentWarning[];
  /** The `uses` names that are neither built in, nor bound, nor registered here; none unless `anyUses`. */
  readonly unanswered: readonly string[];
}

/** A definition from the store. `better`: what the store should keep of it from now on; null: what it has. */
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
    private readonly compiler: OffLoop,
    private readonly language: Language = LANGUAGE,
    private readonly ceilings: Ceilings = NO_CEILINGS,
  ) {}

  /** Throws a `YamlValidationError`, a `YamlLoadError` or a `BusyError`. */
  async prepare({ caller, ...request }: PrepareRequest): Promise<PreparedWorkflow> {
    const { yaml, namespace, registeredAt } = request;
    const { bindings, result } = await this.accepted(request, this.units.namesIn(namespace), (job) =>
      this.compiler.compile(job, caller),
    );
    const { plan, about, text, warnings, children } = result;
    await this.checkSecrets(namespace, secretsOf(plan), bindings);
    const stored: StoredDefinition = {
      namespace,
      hash: plan.hash,
      workflowId: plan.workflowId,
      yaml: this.sealer.seal(yaml),
      bindings: sealBindings(bindings, this.sealer),
      plan: this.sealer.seal(text),
      registeredAt,
    };
    return { definition: this.definitionOf(stored, bindings, plan, about), stored, warnings, children };
  }

  /** As `prepare`, to find out whether the workflow would be accepted. Stores nothing. */
  async check({
    anyUses,
    caller,
    ...request
  }: CheckRequest): Promise<CheckedWorkflow & Pick<PreparedWorkflow, 'children'>> {
    const { units } = this;
    const { namespace } = request;
    const known = anyUses ? null : units.namesIn(namespace);
    const { bindings, result } = await this.accepted(request, known, (job) =>
      this.compiler.check(job, caller),
    );
    const { workflowId, uses: names, secrets, warnings: warningDetails, children } = result;
    // Where any unit may be known, any secret may be.
    if (!anyUses) await this.checkSecrets(namespace, secrets, bindings);
    const unanswered = names.filter(
      (uses) => !BUILTINS.has(uses) && !bindings.has(uses) && !units.has(uses, namespace),
    );
    return { workflowId, warnings: sentencesOf(warningDetails), warningDetails, unanswered, children };
  }

  /** Throws a `YamlLoadError` for secrets that the namespace can never be given. */
  private async checkSecrets(
    namespace: string,
    ofUnits: readonly string[],
    bindings: Bindings,
  ): Promise<void> {
    const named = ofUnits.map((name) => ({ path: '', name }));
    for (const [uses, { headers }] of bindings)
      for (const name of secretNames(headers))
        named.push({ path: `bindings[${JSON.stringify(uses)}].headers`, name });
    const faults: { path: string; line: null; column: null; message: string }[] = [];
    for (const { path, name } of named) {
      const refusal = await this.units.refusalOfSecret({ namespace, name });
      const message = `${path === '' ? '' : `${path}: `}\${secret:${name}} ${refusal ?? ''}`;
      if (refusal !== null) faults.push({ path, line: null, column: null, message });
    }
    if (faults.length > 0) throw new YamlLoadError(faults);
  }

  /** `inProcess`: the names that are registered; null: whatever is not bound counts as registered. */
  private async accepted<Result>(
    { yaml, bindings: given }: Pick<PrepareRequest, 'yaml' | 'bindings'>,
    inProcess: readonly string[] | null,
    compile: (job: DocumentJob) => Promise<Result>,
  ): Promise<{ readonly bindings: Bindings; readonly result: Result }> {
    const { bindings, error } = readBindings(given, this.units, this.ceilings);
    const job = { ...this.job(yaml, bindings), inProcess, ceilings: this.ceilings, wasAccepted: false };
    const result = await compile(job).catch((fault: unknown) => {
      // A text that is no workflow is reported first. Names that it cannot resolve for want of the binding are not reported.
      throw error !== null && fault instanceof YamlLoadError ? error : fault;
    });
    if (error !== null) throw error;
    return { bindings, result };
  }

  /**
   * The definition that was stored: its own plan, whatever the language, the schema and the settings say today.
   * What was not bound then was registered in process; whether it is today matters only when the unit is called.
   * Rejects with an `UnreadablePlanError` or a `SealedError`.
   */
  async restore(stored: StoredDefinition): Promise<RestoredDefinition> {
    if (stored.plan === null) return this.restoreFirst(stored);
    const { readPlanText } = await languageTools();
    const { plan, about } = readPlanText(this.sealer.open(stored.plan));
    return { definition: this.definitionOf(stored, this.bindingsOf(stored), plan, about), better: null };
  }

  /**
   * The definition of a workflow that is to be registered again: it must be one that is accepted today, but for its
   * in-process units, which may come later. It keeps its own plan. Rejects as `prepare` and `restore` do.
   */
  async readmit(stored: StoredDefinition): Promise<RestoredDefinition> {
    await this.compiler.check(this.job(this.sealer.open(stored.yaml), this.bindingsOf(stored)));
    return this.restore(stored);
  }

  /** A definition from before plans were stored: compiled once, as it was then, and kept under the hash it had. */
  private async restoreFirst(stored: StoredDefinition): Promise<RestoredDefinition> {
    const bindings = this.bindingsOf(stored);
    const job = this.job(this.sealer.open(stored.yaml), bindings);
    const accepted = { ...job, language: FIRST_LANGUAGE, acceptedAs: stored.hash };
    const { plan, about, text } = await this.compiler.compile(accepted);
    return {
      definition: this.definitionOf(stored, bindings, plan, about),
      better: { ...stored, plan: this.sealer.seal(text) },
    };
  }

  /** What an export says of a stored definition. Throws a `SealedError`. */
  exported(stored: StoredDefinition, { plan, bindings }: Definition): ExportedDefinition {
    return { yaml: this.sealer.open(stored.yaml), uses: usesOf(plan, bindings) };
  }

  /** The definition that was exported, as today's language has it. Rejects as `prepare` does. */
  async imported(
    exported: ExportedDefinition,
    { namespace, registeredAt }: Pick<PrepareRequest, 'namespace' | 'registeredAt'>,
  ): Promise<PreparedImport> {
    const job = jobOfExported(exported, this.apiGroups, this.language);
    const { plan, about, text, warnings, children } = await this.compiler.compile(job);
    const stored: StoredDefinition = {
      namespace,
      hash: plan.hash,
      workflowId: plan.workflowId,
      yaml: this.sealer.seal(exported.yaml),
      bindings: {},
      plan: this.sealer.seal(text),
      registeredAt,
    };
    const definition = this.definitionOf(stored, NO_BINDINGS, plan, about);
    return { definition, stored, warnings, children, planText: text };
  }

  private bindingsOf({ bindings }: StoredDefinition): Bindings {
    return openBindings(bindings, this.sealer);
  }

  /** The job for a document that was accepted. What is not bound counts as registered in process. */
  private job(yaml: string, bindings: Bindings): DocumentJob {
    const { apiGroups, language } = this;
    return {
      yaml,
      apiGroups,
      language,
      ceilings: NO_CEILINGS,
      bound: [...bindings.keys()],
      inProcess: null,
      wasAccepted: true,
      acceptedAs: null,
    };
  }

  private definitionOf(stored: StoredDefinition, bindings: Bindings, plan: Plan, about: About): Definition {
    const { namespace, registeredAt } = stored;
    const { description, labels, annotations = {}, flowType, input } = about;
    // The caller of checks that no client asked for: inputs that are long to check do not delay those of other workflows.
    const workflow = callerIn(namespace, `workflow ${plan.workflowId}`);
    return {
      namespace,
      plan: this.withinCeiling(plan),
      bindings,
      description,
      labels,
      annotations: deepFreeze(annotations),
      flowType,
      registeredAt,
      size: (stored.plan?.length ?? 0) + stored.yaml.length,
      input: deepFreeze(input),
      checkInput:
        input === null ? null : (given, caller) => this.compiler.checkInput(input, given, caller ?? workflow),
    };
  }

  /** A run with a plan from earlier, or from another setting, has no more time than today's ceiling allows. */
  private withinCeiling(plan: Plan): Plan {
    const { workflowMs } = this.ceilings;
    return plan.workflowMs === null || plan.workflowMs <= workflowMs ? plan : { ...plan, workflowMs };
  }
}

const NO_BINDINGS: Bindings = new Map();

interface ReadBindings {
  readonly bindings: Bindings;
  readonly error: YamlLoadError | null;
}

function readBindings(given: unknown, units: UnitRegistry, ceilings: Ceilings): ReadBindings {
  const parsed = parseBindings(given);
  const faults = parsed.ok
    ? [
        ...boundBuiltins(parsed.bindings),
        ...unsupportedFields(parsed.bindings),
        ...refusedEndpoints(parsed.bindings, units),
        ...overCeiling(parsed.bindings, ceilings),
      ]
    : parsed.faults;
  const bindings = parsed.ok ? parsed.bindings : new Map();
  if (faults.length === 0) return { bindings, error: null };
  const error = new YamlLoadError(
    faults.map(({ path, message }) => ({ path, line: null, column: null, message })),
  );
  return { bindings, error };
}

/**
 * An endpoint that no call could ever reach is refused now; a name that leads to a refused address is found when it is
 * called.
 */
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

/** A client that binds a built-in expects it to be called elsewhere, which would never happen. */
function boundBuiltins(bindings: Bindings) {
  return [...bindings.keys()]
    .filter((name) => name.startsWith(BUILTIN_PREFIX) && name !== BINDABLE_BUILTIN)
    .map((name) => {
      const path = `bindings[${JSON.stringify(name)}]`;
      return { path, message: `${path} names a built-in: built-ins take no binding; leave it out` };
    });
}
