import { YamlLoadError } from '../../errors/document-errors.js';
import type { Plan } from '../core/plan/plan.js';
import { BINDABLE_BUILTIN } from '../language/builtins.js';
import type { Ceilings } from '../language/ceilings.js';
import { compileWorkflow } from '../language/compiler/compile.js';
import type { NamedChild } from '../language/compiler/named-children.js';
import type { WorkflowDocument } from '../language/document.js';
import type { DocumentWarning } from '../language/document-warning.js';
import { type DocumentBounds, NO_BOUNDS } from '../language/document-bounds.js';
import type { Language } from '../language/language.js';
import { parseDocument, readAcceptedDocument } from '../language/parse-document.js';
import type { UnitNames } from '../language/unit-names.js';
import { planText, type About } from './plan-text.js';
import { secretsOf } from './secrets-of-plan.js';

/** A document to compile, as plain data: it crosses to another thread as it is. */
export interface DocumentJob {
  readonly yaml: string;
  readonly apiGroups: readonly string[];
  /** The names that are registered in process; null: every name that is not bound counts as registered. */
  readonly inProcess: readonly string[] | null;
  /** The names that are bound to endpoints. */
  readonly bound: readonly string[];
  readonly language: Language;
  /** The longest time-outs that it may ask for. */
  readonly ceilings: Ceilings;
  /** Whether it was accepted once, by this version or an earlier one. */
  readonly wasAccepted: boolean;
  /**
   * The hash of a document that was accepted once and is compiled as it was then; null: it is compiled as documents are
   * today.
   */
  readonly acceptedAs: string | null;
}

export interface CompiledDocument {
  readonly plan: Plan;
  readonly about: About;
  /** The plan and `about`, as they are stored. */
  readonly text: string;
  readonly warnings: readonly DocumentWarning[];
  readonly children: readonly NamedChild[];
}

/** What a check says of a document that is not going to be run. */
export interface CheckedDocument {
  readonly workflowId: string;
  /** Every `uses` name once. */
  readonly uses: readonly string[];
  /** The secrets that the configs of its units name, each once. */
  readonly secrets: readonly string[];
  readonly warnings: readonly DocumentWarning[];
  readonly children: readonly NamedChild[];
}

export function checkedOf({ plan, warnings, children }: CompiledDocument): CheckedDocument {
  const uses = new Set([...plan.units.values()].map((unit) => unit.uses));
  return { workflowId: plan.workflowId, uses: [...uses], secrets: secretsOf(plan), warnings, children };
}

/** Throws a `YamlValidationError` or a `YamlLoadError`, and `BoundsExceeded` (see `compileWorkflow`). */
export function compileDocument(job: DocumentJob, bounds: DocumentBounds): CompiledDocument {
  const { yaml, apiGroups, language, ceilings, wasAccepted, acceptedAs } = job;
  if (acceptedAs !== null) return compileAccepted(job, acceptedAs);
  const parsed = parseDocument(yaml, { apiGroups });
  const { plan, warnings, children } = compileWorkflow(parsed, namesOf(job), language, {
    bounds,
    ceilings,
    wasAccepted,
  });
  const about = aboutOf(parsed.document, language);
  return { plan, about, text: boundedText(plan, about, bounds), warnings, children };
}

/** The plan keeps the hash that it had. `spec.input` is checked when an input comes. */
function compileAccepted(job: DocumentJob, hash: string): CompiledDocument {
  const { document, positions } = readAcceptedDocument(job.yaml);
  const { input: _checkedWhenUsed, ...spec } = document.spec;
  const parsed = { document: { ...document, spec }, positions };
  const {
    plan: compiled,
    warnings,
    children,
  } = compileWorkflow(parsed, namesOf(job), job.language, {
    bounds: NO_BOUNDS,
    wasAccepted: true,
  });
  const plan = { ...compiled, hash };
  const about = aboutOf(document, job.language);
  return { plan, about, text: planText(plan, about), warnings, children };
}

function boundedText(plan: Plan, about: About, bounds: DocumentBounds): string {
  const text = planText(plan, about);
  if (text.length <= bounds.planLength) return text;
  const message =
    `the workflow comes to ${text.length} characters once it is compiled, and ${bounds.planLength} are the most: ` +
    'split it into several, or take fewer copies by aliases';
  throw new YamlLoadError([{ path: '', line: null, column: null, message }]);
}

function namesOf({ bound, inProcess }: DocumentJob): UnitNames {
  const endpoints = new Set(bound);
  if (inProcess === null) {
    return {
      // Where any name may be registered, this one may be bound.
      sourceOf: (uses) => (endpoints.has(uses) || uses === BINDABLE_BUILTIN ? 'http' : 'in-process'),
      known: () => [],
      bound: () => bound,
    };
  }
  const units = new Set(inProcess);
  return {
    sourceOf: (uses) => {
      if (endpoints.has(uses)) return units.has(uses) ? 'both' : 'http';
      return units.has(uses) ? 'in-process' : 'unknown';
    },
    known: () => [...bound, ...inProcess],
    bound: () => bound,
  };
}

function aboutOf({ metadata, spec }: WorkflowDocument, language: Language): About {
  return {
    language: language.revision,
    description: metadata.description ?? null,
    labels: metadata.labels ?? {},
    annotations: metadata.annotations ?? {},
    flowType: typeof spec.flow === 'string' ? 'unit' : spec.flow.type,
    input: spec.input ?? null,
  };
}
