import type { FlowNode, Plan } from '../../core/plan/plan.js';
import type { SpecDocument } from '../document.js';
import type { WarningCode } from '../document-warning.js';
import { memberText, type OutputRead } from '../expression/known-units.js';
import type { FaultList } from '../fault-list.js';
import { readablePath } from '../reader/json-pointer.js';
import { CountedWork } from './counted-work.js';
import { droppingFlow } from './dropped-outputs.js';
import { adviceFor } from './flow-order.js';
import { Guards } from './guards.js';
import { ReadSites, type Site } from './read-sites.js';
import { type Presence, type Standpoint, UnitOrder } from './unit-order.js';

type ReadPlan = Pick<Plan, 'root' | 'nodes' | 'units' | 'onCancel'>;

/**
 * Refuses reads of an output that is there on no path through the flow, and warns of reads of one that may be missing
 * (decision 0093). The flow must have no faults.
 */
export function checkReads(
  spec: SpecDocument,
  plan: ReadPlan,
  faults: FaultList,
  work = new CountedWork(),
): void {
  const { reads } = faults;
  if (reads.length === 0) return;
  const order = new UnitOrder({ ...plan, nodes: plan.nodes.values() }, work);
  const sites = new ReadSites(spec, plan.nodes, order);
  const guards = new Guards(plan.units, reads, sites, work);
  const check = new ReadCheck({ plan, order, guards, faults, work });
  for (const read of reads) {
    const site = sites.siteOf(read.path);
    if (site !== null && site.at.length > 0) check.look(read, site);
  }
}

interface Surveyed {
  readonly plan: ReadPlan;
  readonly order: UnitOrder;
  readonly guards: Guards;
  readonly faults: FaultList;
  readonly work: CountedWork;
}

/** What was found out about one unit, for all reads of it at one site. */
interface Answers {
  readonly presence: Presence;
  whyNever?: string;
  isThoughtOf?: boolean;
  isAskedByFlow?: boolean;
  droppedBy?: FlowNode | 'none';
}

class ReadCheck {
  private readonly known = new WeakMap<Site, Map<string, Answers>>();
  private isFullOfWarnings = false;

  constructor(private readonly surveyed: Surveyed) {}

  look(read: OutputRead, site: Site): void {
    // Only a plain read is ever refused.
    if (this.isFullOfWarnings && read.kind !== 'plain') return;
    const answers = this.answersOn(read.unitId, site);
    if (answers.presence === 'never') this.reportNever(read, site, answers);
    else if (answers.presence === 'sometimes' && read.kind === 'plain')
      this.reportSometimes(read, site, answers);
    else if (read.kind === 'asked') this.reportDropped(read, answers);
  }

  private reportNever(read: OutputRead, site: Site, answers: Answers): void {
    const isRefused = read.kind === 'plain' && !this.isAsked(read, site, answers);
    if (this.surveyed.work.isWornOut || (this.isFullOfWarnings && !isRefused)) return;
    const shown = memberText('outputs', read.unitId);
    const why = (answers.whyNever ??= this.whyNever(read.unitId, site));
    if (isRefused) {
      const { path, text, offset } = read;
      const message = `${shown} is never there when this is evaluated: ${why}`;
      this.surveyed.faults.addWithin({ path, text, offset }, message);
      return;
    }
    const does = read.kind === 'asked' ? `asks whether ${shown} is there` : `may read ${shown}`;
    this.warn('never-there', read, `${readablePath(read.path)} ${does}, which it never is: ${why}`);
  }

  /** Whether an output is there says nothing of whether the unit has run where its branch drops what it wrote. */
  private reportDropped(read: OutputRead, answers: Answers): void {
    const { path, unitId } = read;
    if (!path.endsWith('/if')) return;
    const { order, work } = this.surveyed;
    const by = (answers.droppedBy ??= droppingFlow(order.locationsOf(unitId), work));
    if (by === 'none') return;
    const shown = memberText('outputs', unitId);
    const sentence =
      `${readablePath(path)} asks for ${shown}, which is dropped with its branch where that fails after ${unitId}: ` +
      `to undo what ${unitId} did, name it in \`compensate\` of ${unitId}; to read what was done, put a \`try\` with a \`catch\` ` +
      `in place of the ${by.type} at ${readablePath(by.path)}`;
    this.warn('dropped-output', read, sentence);
  }

  private reportSometimes(read: OutputRead, site: Site, answers: Answers): void {
    const { path, unitId } = read;
    const { guards, plan } = this.surveyed;
    if (this.isFullOfWarnings || (answers.isThoughtOf ??= guards.isThoughtOf(unitId, site))) return;
    const shown = memberText('outputs', unitId);
    const kind = plan.units.get(unitId)?.kind;
    const why =
      kind === 'set' || kind === 'wait' || kind === 'fail'
        ? `a unit of builtin.${kind} has no output`
        : `on some way through the flow ${unitId} has not come to its end before: where that is meant, write has(${shown}) ? ${shown} : null`;
    this.warn('may-be-missing', read, `${readablePath(path)} reads ${shown}, which may be missing: ${why}`);
  }

  /**
   * Whether a condition asks for the output first: the read may then be meant for a fork that lays the output over its
   * state.
   */
  private isAsked(read: OutputRead, site: Site, answers: Answers): boolean {
    const { guards } = this.surveyed;
    if (guards.isAskedByUnit(read, site)) return true;
    return (answers.isAskedByFlow ??= guards.isAskedByFlow(read.unitId, site));
  }

  private whyNever(unitId: string, { reader, unitId: own, at }: Site): string {
    const { order } = this.surveyed;
    if (unitId === own) return `it is the output of ${unitId} itself, which comes after its expressions`;
    if (order.locationsOf(unitId).length === 0) return `${unitId} is in no flow: name it before ${reader}`;
    for (const one of at) {
      const flow = order.apart(unitId, one);
      if (flow !== null) return adviceFor(flow, { unit: unitId, reader });
    }
    return `${unitId} is not on the way to ${reader}: put it before`;
  }

  private answersOn(unitId: string, site: Site): Answers {
    let known = this.known.get(site);
    if (known === undefined) this.known.set(site, (known = new Map()));
    let answers = known.get(unitId);
    if (answers === undefined) known.set(unitId, (answers = { presence: this.presenceAt(unitId, site.at) }));
    return answers;
  }

  /** The presence over all locations at which a site is evaluated; a unit may stand at several. */
  private presenceAt(unitId: string, at: readonly Standpoint[]): Presence {
    const found = new Set<Presence>();
    for (const one of at) {
      found.add(this.surveyed.order.presenceAt(unitId, one));
      if (found.has('unknown')) return 'unknown';
      if (found.size > 1) return 'sometimes';
    }
    const [only = 'unknown'] = found;
    return only;
  }

  /** The list of warnings is bounded: it is full once it does not take one. */
  private warn(code: WarningCode, { path, text, offset }: OutputRead, message: string): void {
    this.isFullOfWarnings = !this.surveyed.faults.warn(code, { path, text, offset }, message);
  }
}
