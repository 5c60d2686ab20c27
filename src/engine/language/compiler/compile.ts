import type { Plan, PlanUnit } from '../../core/plan/plan.js';
import { BUILTINS, hasOwnEndpoint } from '../builtins.js';
import { NO_LOOPS, type Surroundings } from '../expression/surroundings.js';
import { templateAt } from './compile-expression.js';
import { checkCeilings, NO_CEILINGS, type Ceilings } from '../ceilings.js';
import { FlowCompiler } from './compile-flow.js';
import { checkFinalizers } from './checks/check-finalizers.js';
import { checkCompensations, compileCompensations } from './compile-compensations.js';
import { checkOnCancel, compileOnCancel } from './compile-on-cancel.js';
import { compileUnit } from './compile-unit.js';
import { compileVars, warnOfUnusedVars } from './compile-vars.js';
import { namedChildren, type NamedChild } from './named-children.js';
import { warnOfFlow } from './checks/warn-of-flow.js';
import type { SpecDocument, WorkflowDocument } from '../document.js';
import { BoundsExceeded, type DocumentBounds, WORKFLOW_BOUNDS } from '../document-bounds.js';
import type { DocumentWarning } from '../document-warning.js';
import { FaultList } from '../fault-list.js';
import { checkInputIsMeant } from '../input/input-mistakes.js';
import { checkInputSchema } from '../input/input-schema.js';
import { LANGUAGE, type Language } from '../language.js';
import { checkReads } from '../order/check-reads.js';
import type { ParsedDocument } from '../parse-document.js';
import { planHash } from '../stored-plan/plan-hash.js';
import type { UnitNames } from '../unit-names.js';

export interface CompiledWorkflow {
  readonly plan: Plan;
  /** What is accepted but probably not meant. */
  readonly warnings: readonly DocumentWarning[];
  /** What its units start runs of: whether that is registered is not known here. */
  readonly children: readonly NamedChild[];
}

/** What a document may ask for, and how large it may be. Default: as large as any workflow, with any time-outs. */
export interface CompileLimits {
  readonly bounds?: DocumentBounds;
  readonly ceilings?: Ceilings;
  /** Whether it was accepted once: checks that were added later do not refuse it then (decision 0056). Default: false. */
  readonly wasAccepted?: boolean;
}

/**
 * Compiles a valid document into a plan with every default resolved. Throws a `YamlLoadError` with every fault, and
 * `BoundsExceeded` for a document that exceeds bounds other than those of every workflow.
 */
export function compileWorkflow(
  { document, positions }: ParsedDocument,
  names: UnitNames,
  language: Language = LANGUAGE,
  { bounds = WORKFLOW_BOUNDS, ceilings = NO_CEILINGS, wasAccepted = false }: CompileLimits = {},
): CompiledWorkflow {
  const faults = new FaultList(positions, bounds);
  try {
    return compiled({ document, names, language, ceilings, wasAccepted, faults });
  } catch (error) {
    if (error instanceof BoundsExceeded && bounds === WORKFLOW_BOUNDS) faults.throwIfAny();
    throw error;
  }
}

interface Compilation {
  readonly document: WorkflowDocument;
  readonly names: UnitNames;
  readonly language: Language;
  readonly ceilings: Ceilings;
  readonly wasAccepted: boolean;
  readonly faults: FaultList;
}

function compiled(compilation: Compilation): CompiledWorkflow {
  const { document, names, language, ceilings, wasAccepted, faults } = compilation;
  const { spec, metadata } = document;
  const unitIds = checkUnitIds(spec, faults);
  if (!wasAccepted) faults.knowUnits(unitIds);
  checkCeilings(spec, ceilings, faults);
  const vars = compileVars(spec, faults);
  const flows = new FlowCompiler(unitIds, faults, language.defaults, wasAccepted);
  const faultsBefore = faults.count;
  const root = flows.compile(spec.flow);
  const onCancel = compileOnCancel(spec, flows);
  const compensations = compileCompensations(spec, unitIds, flows, faults);
  const output = spec.output === undefined ? null : templateAt(faults, '/spec/output', spec.output, NO_LOOPS);
  const isWholeFlow = root !== null && faults.count === faultsBefore;
  const units = new Map<string, PlanUnit>();
  const context = { names, faults, common: spec.policy, language };
  spec.units.forEach((unit, index) => {
    const around = surroundingsOf(flows.uses.get(unit.id) ?? []);
    const compensate = compensations.get(unit.id) ?? null;
    units.set(unit.id, { ...compileUnit(unit, `/spec/units/${index}`, around, context), compensate });
  });
  checkOnCancel(spec, units, faults);
  checkFinalizers(flows, units, faults);
  checkCompensations(compensations, units, faults);
  if (isWholeFlow && faults.isOfNewDocument) {
    checkReads(spec, { root, nodes: flows.nodes, units, onCancel }, faults);
    warnOfFlow(flows.nodes.values(), units, faults);
    warnOfUnusedVars(vars, faults);
  }
  checkInputSchema(spec.input, faults);
  if (faults.isOfNewDocument) checkInputIsMeant(spec.input, faults);
  faults.throwIfAny();
  if (root === null) throw new Error('A flow without faults compiles to a node.');

  const sources = new Map(
    spec.units.map(({ uses }) => [uses, BUILTINS.has(uses) ? 'builtin' : names.sourceOf(uses)]),
  );
  const plan: Omit<Plan, 'hash'> = {
    workflowId: metadata.id,
    root,
    nodes: flows.nodes,
    units,
    maxParallelUnits: spec.policy?.concurrency?.maxParallelUnits ?? language.defaults.maxParallelUnits,
    workflowMs: spec.policy?.timeout?.workflowMs ?? null,
    onCancel,
    vars,
    output,
    compensateOn: compensateOn(spec),
  };
  const hash = planHash(document, sources, plan, language);
  return {
    plan: { ...plan, hash },
    warnings: [...faults.warnings, ...unusedOf(spec, flows, names, faults)],
    children: namedChildren(spec, metadata.id, faults),
  };
}

function compensateOn({ compensateOn: given = ['failure', 'cancel'] }: SpecDocument): Plan['compensateOn'] {
  return { failure: given.includes('failure'), cancel: given.includes('cancel') };
}

function checkUnitIds(spec: SpecDocument, faults: FaultList): ReadonlySet<string> {
  const ids = new Set<string>();
  spec.units.forEach(({ id }, index) => {
    if (ids.has(id)) faults.add(`/spec/units/${index}/id`, `two units are named ${id}: rename one of them`);
    ids.add(id);
  });
  if (spec.entry !== undefined && !ids.has(spec.entry)) {
    faults.add('/spec/entry', `spec.entry names no unit: ${spec.entry} is not in spec.units`);
  }
  return ids;
}

/** A unit may use what is in scope at every location that names it. */
function surroundingsOf(surroundings: readonly Surroundings[]): Surroundings {
  const [first, ...others] = surroundings;
  if (first === undefined) return { inLoop: false, itemNames: [] };
  return {
    inLoop: surroundings.every(({ inLoop }) => inLoop),
    itemNames: others.every(({ itemNames }) => itemNames.at(-1) === first.itemNames.at(-1))
      ? first.itemNames
      : [],
    ...(surroundings.every(({ inCatch }) => inCatch === true) ? { inCatch: true as const } : {}),
  };
}

function unusedOf(
  spec: SpecDocument,
  flows: FlowCompiler,
  names: UnitNames,
  faults: FaultList,
): readonly DocumentWarning[] {
  const warnings: DocumentWarning[] = [];
  for (const [index, { id }] of spec.units.entries()) {
    if (flows.uses.has(id)) continue;
    const at = faults.locationOf(`/spec/units/${index}/id`);
    warnings.push({ code: 'unused-unit', ...at, message: `The unit ${id} is in no flow: it never runs.` });
  }
  // A `builtin.http` with an endpoint of its own takes nothing from a binding.
  const bindable = spec.units.filter((unit) => !hasOwnEndpoint(unit));
  const used = new Set(bindable.map(({ uses }) => uses));
  for (const name of names.bound()) {
    if (used.has(name)) continue;
    const outside = { path: `bindings[${JSON.stringify(name)}]`, line: null, column: null };
    warnings.push({ code: 'unused-binding', ...outside, message: `The binding ${name} is used by no unit.` });
  }
  return warnings;
}
