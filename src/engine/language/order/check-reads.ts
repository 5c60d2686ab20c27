import { nodePathOf } from '../../core/plan/node-path.js';
import type { FlowNode, Plan } from '../../core/plan/plan.js';
import type { SpecDocument } from '../document.js';
import { memberText, type OutputRead } from '../expression/known-units.js';
import type { FaultList } from '../fault-list.js';
import { readablePath } from '../reader/json-pointer.js';
import { adviceFor } from './flow-order.js';
import { type Presence, type Standpoint, UnitOrder } from './unit-order.js';

/** A value of the document that holds expressions, and where a run evaluates it. */
interface Site {
  /** Who evaluates it, in a message: the unit, or the flow. */
  readonly reader: string;
  /** The unit whose field it is; null: that of a flow. */
  readonly unitId: string | null;
  readonly at: readonly Standpoint[];
}

type ReadPlan = Pick<Plan, 'root' | 'nodes' | 'units' | 'onCancel'>;

/**
 * Refuses what reads an output that cannot be there, on no way through the flow; says of what may not be there that it
 * may not (decision 0093). To be asked of a flow that has no faults.
 */
export function checkReads(spec: SpecDocument, plan: ReadPlan, faults: FaultList): void {
  if (faults.reads.length === 0) return;
  const order = new UnitOrder({ ...plan, nodes: plan.nodes.values() });
  const check = new ReadCheck(spec, plan, order, faults);
  for (const read of faults.reads) check.look(read);
}

class ReadCheck {
  /** By what names it: the unit's pointer, or that of the field of a flow. */
  private readonly sites = new Map<string, Site | null>();
  private readonly known = new WeakMap<Site, Map<string, Presence>>();

  constructor(
    private readonly spec: SpecDocument,
    private readonly plan: ReadPlan,
    private readonly order: UnitOrder,
    private readonly faults: FaultList,
  ) {}

  look(read: OutputRead): void {
    const site = this.siteOf(read.path);
    if (site === null || site.at.length === 0) return;
    const presence = this.presence(read.unitId, site);
    if (presence === 'never') this.tellNever(read, site);
    else if (presence === 'sometimes' && read.kind === 'plain') this.tellSometimes(read, site);
  }

  private tellNever(read: OutputRead, site: Site): void {
    const shown = memberText('outputs', read.unitId);
    const why = this.whyNever(read.unitId, site);
    if (read.kind === 'plain') {
      const { path, text, offset } = read;
      this.faults.addWithin({ path, text, offset }, `${shown} is never there when this is evaluated: ${why}`);
      return;
    }
    const does = read.kind === 'asked' ? `asks whether ${shown} is there` : `may read ${shown}`;
    this.faults.warn(`${readablePath(read.path)} ${does}, which it never is: ${why}`);
  }

  private tellSometimes({ path, unitId }: OutputRead, site: Site): void {
    if (this.isGuarded(unitId, site)) return;
    const shown = memberText('outputs', unitId);
    const kind = this.plan.units.get(unitId)?.kind;
    const why =
      kind === 'set' || kind === 'wait' || kind === 'fail'
        ? `a unit of builtin.${kind} has no output`
        : `on some way through the flow ${unitId} has not come to its end before: where that is meant, write has(${shown}) ? ${shown} : null`;
    this.faults.warn(`${readablePath(path)} reads ${shown}, which may be missing: ${why}`);
  }

  private whyNever(unitId: string, { reader, unitId: own, at }: Site): string {
    if (unitId === own) return `it is the output of ${unitId} itself, which comes after its expressions`;
    if (this.order.placesOf(unitId).length === 0) return `${unitId} is in no flow: name it before ${reader}`;
    for (const one of at) {
      const standpoint = one.when === 'entering' ? one : { node: one.loop };
      const flow = this.order.apart(unitId, standpoint);
      if (flow !== null) return adviceFor(flow, { unit: unitId, reader });
    }
    return `${unitId} is not on the way to ${reader}: put it before`;
  }

  /** Of all places at which the site is evaluated; a unit may stand at several. */
  private presence(unitId: string, site: Site): Presence {
    let known = this.known.get(site);
    if (known === undefined) this.known.set(site, (known = new Map()));
    let presence = known.get(unitId);
    if (presence === undefined) known.set(unitId, (presence = this.presenceAt(unitId, site.at)));
    return presence;
  }

  private presenceAt(unitId: string, at: readonly Standpoint[]): Presence {
    const found = new Set<Presence>();
    for (const one of at) {
      found.add(this.order.presenceAt(unitId, one));
      if (found.has('unknown')) return 'unknown';
      if (found.size > 1) return 'sometimes';
    }
    const [only = 'unknown'] = found;
    return only;
  }

  /** A condition around it has to do with the unit, with what failed, or is the unit's own: then somebody thought of it. */
  private isGuarded(unitId: string, { at, unitId: reader }: Site): boolean {
    const own = reader === null ? null : (this.plan.units.get(reader)?.condition ?? null);
    const its = this.plan.units.get(unitId)?.condition?.source;
    const conditions = [
      ...(own === null ? [] : [own.source]),
      ...at.flatMap((one) => conditionsAround(one.when === 'entering' ? one.node : one.loop)),
    ];
    return conditions.some(
      (source) => source === its || source.includes(unitId) || /\berrors\b/.test(source),
    );
  }

  private siteOf(path: string): Site | null {
    const [name = path, index] = /^\/spec\/units\/(\d+)\//.exec(path) ?? [];
    let site = this.sites.get(name);
    if (site === undefined) {
      site = index === undefined ? this.siteInFlow(path) : this.siteOfUnit(Number(index));
      this.sites.set(name, site);
    }
    return site;
  }

  private siteOfUnit(index: number): Site {
    const id = this.spec.units[index]?.id ?? '';
    const at = this.order.placesOf(id).map((node): Standpoint => ({ when: 'entering', node }));
    return { reader: id, unitId: id, at };
  }

  private siteInFlow(path: string): Site | null {
    const [, flowPath = '', field] = /^(.*?)(?:\/cases\/\d+\/if|\/(until|items))$/.exec(path) ?? [];
    const node = this.plan.nodes.get(nodePathOf(flowPath));
    if (node === undefined) return null;
    const at: Standpoint =
      field === 'until' && node.type === 'loop'
        ? { when: 'body-left', loop: node }
        : { when: 'entering', node };
    return { reader: `the ${node.type} at ${readablePath(flowPath)}`, unitId: null, at: [at] };
  }
}

/** Whatever decides whether the thread comes to a node: the conditions of switches, the items of foreachs. */
function conditionsAround(node: FlowNode): readonly string[] {
  const sources: string[] = [];
  for (let flow: FlowNode | null = node; flow !== null; flow = flow.parent) {
    if (flow.type === 'switch') sources.push(...flow.cases.map(({ condition }) => condition.source));
    if (flow.type === 'foreach' && flow !== node) sources.push(flow.items.source);
  }
  return sources;
}
