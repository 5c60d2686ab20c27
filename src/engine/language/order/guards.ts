import type { FlowNode, Plan } from '../../core/plan/plan.js';
import type { OutputRead } from '../expression/known-units.js';
import type { CountedWork } from './counted-work.js';
import type { ReadSites, Site } from './read-sites.js';

/** Characters that are searched in the time of a step from node to node. */
const SEARCHED_IN_A_STEP = 16;

/** The units and flows whose conditions ask whether the output of one unit is there. */
interface Asked {
  readonly units: Set<string>;
  /** By flow, the first case that asks; 0 for the items of a foreach. */
  readonly flows: Map<FlowNode, number>;
}

/** The flows around a site, with how many of the conditions of each are evaluated on the way to it. */
type Around = ReadonlyMap<FlowNode, number>;

/**
 * The conditions that decide whether a site is reached: those of the unit, the cases of switches, the items of foreachs.
 * Once there has been too much to look at, every site counts as guarded.
 */
export class Guards {
  private readonly around = new WeakMap<Site, Around>();
  private readonly texts = new WeakMap<FlowNode, ReadonlySet<string>>();
  private asked: ReadonlyMap<string, Asked> | null = null;

  constructor(
    private readonly units: Plan['units'],
    private readonly reads: readonly OutputRead[],
    private readonly sites: ReadSites,
    private readonly work: CountedWork,
  ) {}

  /**
   * Whether the author has thought of a missing output: a condition around the site names the unit or errors, or is the
   * unit's own.
   */
  isThoughtOf(unitId: string, site: Site): boolean {
    const its = this.units.get(unitId)?.condition?.source;
    for (const source of this.textsAround(site)) {
      this.work.add(1 + Math.floor(source.length / SEARCHED_IN_A_STEP));
      if (this.work.isWornOut) return true;
      if (source === its || source.includes(unitId) || /\berrors\b/.test(source)) return true;
    }
    return this.work.isWornOut;
  }

  /**
   * Whether the reader's own condition asks for the output before this is read; a read in the condition itself does not
   * count.
   */
  isAskedByUnit({ unitId, path }: OutputRead, { unitId: reader }: Site): boolean {
    if (reader === null || /^\/spec\/units\/\d+\/if$/.test(path)) return false;
    return this.askedOf(unitId)?.units.has(reader) ?? false;
  }

  /** Whether a flow on the way to the site has asked for the output, at one of its locations at least. */
  isAskedByFlow(unitId: string, site: Site): boolean {
    const flows = this.askedOf(unitId)?.flows;
    if (flows === undefined) return false;
    const around = this.flowsAround(site);
    for (const [flow, first] of flows) {
      this.work.add(1);
      if (this.work.isWornOut || first < (around.get(flow) ?? 0)) return true;
    }
    return this.work.isWornOut;
  }

  private askedOf(unitId: string): Asked | undefined {
    this.asked ??= this.findAsked();
    return this.asked.get(unitId);
  }

  private findAsked(): ReadonlyMap<string, Asked> {
    const found = new Map<string, Asked>();
    for (const { kind, unitId, path } of this.reads) {
      const field = kind === 'asked' ? /\/(if|items)$/.exec(path) : null;
      const site = field === null ? null : this.sites.siteOf(path);
      if (site === null) continue;
      const asked = found.get(unitId) ?? { units: new Set(), flows: new Map<FlowNode, number>() };
      found.set(unitId, asked);
      if (site.unitId !== null) {
        if (/^\/spec\/units\/\d+\/if$/.test(path)) asked.units.add(site.unitId);
        continue;
      }
      for (const one of site.at) {
        const node = one.node;
        asked.flows.set(node, Math.min(site.casesBefore, asked.flows.get(node) ?? Infinity));
      }
    }
    return found;
  }

  private *textsAround(site: Site): Iterable<string> {
    const own = site.unitId === null ? null : (this.units.get(site.unitId)?.condition ?? null);
    if (own !== null) yield own.source;
    for (const flow of this.flowsAround(site).keys()) yield* this.textsOf(flow);
  }

  /** The texts of the flow's conditions, each once. */
  private textsOf(flow: FlowNode): ReadonlySet<string> {
    let texts = this.texts.get(flow);
    if (texts === undefined) {
      const conditions = conditionsOf(flow);
      this.work.add(1 + conditions.length);
      this.texts.set(flow, (texts = new Set(conditions)));
    }
    return texts;
  }

  /** The flows around all locations of the site. A flow that was visited before was visited with all that is around it. */
  private flowsAround(site: Site): Around {
    const known = this.around.get(site);
    if (known !== undefined) return known;
    const around = new Map<FlowNode, number>();
    for (const one of site.at) {
      let inside = one.node;
      if (inside.type === 'switch') around.set(inside, site.casesBefore);
      for (let flow = inside.parent; flow !== null; inside = flow, flow = flow.parent) {
        this.work.add(1);
        const before = around.get(flow);
        around.set(flow, Math.max(before ?? 0, evaluatedBefore(flow, inside)));
        if (before !== undefined) break;
      }
    }
    this.around.set(site, around);
    return around;
  }
}

function conditionsOf(flow: FlowNode): readonly string[] {
  if (flow.type === 'switch') return flow.cases.map(({ condition }) => condition.source);
  return flow.type === 'foreach' ? [flow.items.source] : [];
}

/** How many conditions of the flow decide whether the thread comes to its child. */
function evaluatedBefore(flow: FlowNode, child: FlowNode): number {
  if (flow.type === 'switch') return child === flow.fallback ? flow.cases.length : child.slot + 1;
  return flow.type === 'foreach' ? 1 : 0;
}
