import { nodePathOf } from '../../core/plan/node-path.js';
import type { Plan } from '../../core/plan/plan.js';
import type { SpecDocument } from '../document.js';
import { type JsonPointer, readablePath } from '../reader/json-pointer.js';
import type { Standpoint, UnitOrder } from './unit-order.js';

/** A value of the document that holds expressions, and where a run evaluates it. */
export interface Site {
  /** What evaluates it, as messages name it: the unit or the flow. */
  readonly reader: string;
  /** The unit whose field it is; null: it is a field of a flow. */
  readonly unitId: string | null;
  readonly at: readonly Standpoint[];
  /** For the condition of a switch, how many others were false before it is evaluated; otherwise 0. */
  readonly casesBefore: number;
}

/** The sites of one document, by pointers to the values or into them. */
export class ReadSites {
  /** The sites by the pointer of the unit, or of the field of a flow. */
  private readonly sites = new Map<string, Site | null>();

  constructor(
    private readonly spec: SpecDocument,
    private readonly nodes: Plan['nodes'],
    private readonly order: UnitOrder,
  ) {}

  /** Null: nothing of the flow evaluates it. */
  siteOf(path: JsonPointer): Site | null {
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
    const at = this.order.locationsOf(id).map((node): Standpoint => ({ when: 'entering', node }));
    return { reader: id, unitId: id, at, casesBefore: 0 };
  }

  private siteOfOutput(): Site | null {
    const node = this.nodes.get('/spec/flow');
    if (node === undefined) return null;
    return { reader: 'spec.output', unitId: null, at: [{ when: 'left', node }], casesBefore: 0 };
  }

  private siteInFlow(path: JsonPointer): Site | null {
    if (path === '/spec/output' || path.startsWith('/spec/output/')) return this.siteOfOutput();
    const [, flowPath = '', index, field] =
      /^(.*?)(?:\/cases\/(\d+)\/if|\/(until|items|itemKey|timeout))$/.exec(path) ?? [];
    const node = this.nodes.get(nodePathOf(flowPath));
    if (node === undefined) return null;
    const at: Standpoint =
      field === 'until' && node.type === 'loop' ? { when: 'left', node } : { when: 'entering', node };
    const reader = `the ${node.type} at ${readablePath(flowPath)}`;
    return { reader, unitId: null, at: [at], casesBefore: Number(index ?? 0) };
  }
}
