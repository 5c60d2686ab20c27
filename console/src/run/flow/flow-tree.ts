import type { JsonObject, JsonValue } from '../../../../clients/typescript/src/types/json.js';
import { childPath } from '../../../../src/engine/core/plan/node-path.js';
import type { FlowNode, FlowPart, FlowRole, FlowTree, FlowType, FlowUnit } from './flow-node.js';

/** What a document may have at most before nothing is drawn of it: flows nest no deeper at the service either. */
const MAX_DEPTH = 66;

/**
 * The flows and units of a workflow document, at the paths that the log of its runs names. Null: it is no workflow, such as a text
 * that is being written. Of what it does not know it draws nothing.
 */
export function flowTreeOf(document: JsonValue): FlowTree | null {
  const spec = objectOf(objectOf(document)?.['spec']);
  if (spec === null) return null;
  const units = unitsOf(spec);
  const builder = new TreeBuilder([...units.keys()]);
  const root = builder.flow(spec['flow'], '/spec/flow', 1);
  if (root === null) return null;
  const onCancel = listOf(spec['onCancel']).flatMap((unit, index) =>
    present(builder.flow(unit, childPath('/spec/onCancel', index), 1)),
  );
  listOf(spec['units']).forEach((unit, index) => {
    const { compensatedBy } = units.get(idOf(textOf(objectOf(unit)?.['id']) ?? '')) ?? {};
    if (compensatedBy !== undefined && compensatedBy !== null)
      builder.flow(compensatedBy, `/spec/units/${index}/compensate`, 1);
  });
  const workflowId = textOf(objectOf(objectOf(document)?.['metadata'])?.['id']) ?? '';
  return { workflowId, root, nodes: builder.nodes, parents: builder.parents, units, onCancel };
}

function unitsOf(spec: JsonObject): ReadonlyMap<string, FlowUnit> {
  const units = new Map<string, FlowUnit>();
  for (const given of listOf(spec['units'])) {
    const unit = objectOf(given);
    const written = textOf(unit?.['id']);
    if (unit === null || written === null) continue;
    const { uses, compensate, config } = unit;
    const id = idOf(written);
    const undoes = textOf(compensate) ?? textOf(objectOf(compensate)?.['unit']);
    units.set(id, {
      id,
      uses: textOf(uses) ?? '',
      condition: textOf(unit['if']),
      config: objectOf(config) ?? {},
      compensatedBy: undoes === null ? null : idOf(undoes),
    });
  }
  return units;
}

/** Goes down a document once, and remembers each node by its path. */
class TreeBuilder {
  readonly nodes = new Map<string, FlowNode>();
  readonly parents = new Map<string, FlowNode>();

  constructor(private readonly unitIds: readonly string[]) {}

  flow(given: JsonValue | undefined, path: string, depth: number): FlowNode | null {
    if (depth > MAX_DEPTH) return null;
    if (typeof given === 'string')
      return this.adopt({ path, type: 'unit', unitId: idOf(given), parts: [], note: null });
    const flow = objectOf(given);
    const read = flow === null ? undefined : READERS[textOf(flow['type']) ?? ''];
    if (flow === null || read === undefined) return null;
    const parts: FlowPart[] = [];
    const add: AddPart = (value, at, role, told = {}) => {
      const node = this.flow(value, at, depth + 1);
      const { label = null, choice = null, isBranch = false } = told;
      if (node !== null) parts.push({ role, label, choice, isBranch, node });
    };
    const facts = read(flow, path, add, this.unitIds);
    return this.adopt({ path, type: flow['type'] as FlowType, unitId: null, parts, note: null, ...facts });
  }

  private adopt(node: FlowNode): FlowNode {
    this.nodes.set(node.path, node);
    for (const part of node.parts) this.parents.set(part.node.path, node);
    return node;
  }
}

type AddPart = (
  value: JsonValue | undefined,
  path: string,
  role: FlowRole,
  told?: Partial<Pick<FlowPart, 'label' | 'choice' | 'isBranch'>>,
) => void;

/** Adds the parts of a flow of its type, and says what else is known of it. */
type FlowReader = (
  flow: JsonObject,
  path: string,
  add: AddPart,
  unitIds: readonly string[],
) => Partial<Pick<FlowNode, 'note' | 'dependencies' | 'failure' | 'afterFailure'>>;

const READERS: Readonly<Record<string, FlowReader>> = {
  sequential(flow, path, add, unitIds) {
    const order = flow['order'] === undefined ? unitIds : listOf(flow['order']);
    order.forEach((step, index) => add(step, `${path}/order/${index}`, 'step'));
    return {};
  },
  parallel(flow, path, add) {
    addAll(flow, path, add, 'units', 'branch');
    add(flow['reducer'], `${path}/reducer`, 'reducer');
    return afterFailureIn(flow);
  },
  race(flow, path, add) {
    addAll(flow, path, add, 'units', 'branch');
    return { note: flow['compensate'] === true ? 'the others are undone' : null };
  },
  router(flow, path, add) {
    add(flow['routerUnit'], `${path}/routerUnit`, 'router');
    for (const [key, target] of Object.entries(objectOf(flow['routes']) ?? {}))
      add(target, childPath(`${path}/routes`, key), 'route', { label: key, choice: key.trim() });
    add(flow['default'], `${path}/default`, 'default', { label: 'else', choice: 'default' });
    return {};
  },
  switch(flow, path, add) {
    listOf(flow['cases']).forEach((given, index) => {
      const { if: label, do: body } = objectOf(given) ?? {};
      add(body, `${path}/cases/${index}/do`, 'case', { label: textOf(label), choice: String(index) });
    });
    add(flow['default'], `${path}/default`, 'default', { label: 'else', choice: 'default' });
    return {};
  },
  loop(flow, path, add) {
    const field = flow['unit'] === undefined ? 'do' : 'unit';
    add(flow[field], `${path}/${field}`, 'body');
    const until = textOf(flow['until']) ?? textOf(flow['untilStateKey']);
    const most = typeof flow['maxIterations'] === 'number' ? `at most ${flow['maxIterations']} times` : null;
    const told = [until === null ? null : `until ${until}`, most].filter((part) => part !== null).join(', ');
    return { note: told === '' ? null : told };
  },
  foreach(flow, path, add) {
    add(flow['do'], `${path}/do`, 'body', { isBranch: true });
    return {
      note: `${textOf(flow['as']) ?? 'each'} of ${textOf(flow['items']) ?? ''}`,
      ...afterFailureIn(flow),
    };
  },
  dag(flow, path, add) {
    add(flow['planner'], `${path}/planner`, 'planner');
    addAll(flow, path, add, 'executors', 'executor');
    add(flow['aggregator'], `${path}/aggregator`, 'aggregator');
    return { dependencies: dependenciesOf(flow) };
  },
  delegation(flow, path, add) {
    add(flow['orchestrator'], `${path}/orchestrator`, 'orchestrator');
    listOf(flow['specialists']).forEach((unit, index) =>
      add(unit, `${path}/specialists/${index}`, 'specialist', { label: textOf(unit), choice: textOf(unit) }),
    );
    return {};
  },
  try(flow, path, add) {
    add(flow['do'], `${path}/do`, 'do');
    add(flow['catch'], `${path}/catch`, 'catch');
    add(flow['finally'], `${path}/finally`, 'finally');
    const timeout = textOf(flow['timeout']);
    return {
      note: timeout === null ? null : `within ${timeout}`,
      failure: {
        ignores: flow['ignore'] === true,
        compensates: flow['compensate'] === true,
        rethrows: flow['rethrow'] === true,
      },
    };
  },
};

function addAll(flow: JsonObject, path: string, add: AddPart, field: string, role: FlowRole): void {
  listOf(flow[field]).forEach((part, index) =>
    add(part, `${path}/${field}/${index}`, role, { isBranch: true }),
  );
}

function afterFailureIn(flow: JsonObject): Pick<FlowNode, 'afterFailure'> {
  if (flow['failureStrategy'] === 'best-effort') return { afterFailure: 'it goes on' };
  return flow['failureStrategy'] === 'collect-errors' ? { afterFailure: 'they end first' } : {};
}

/** Only units have a name to depend on. */
function dependenciesOf(flow: JsonObject): readonly (readonly number[])[] {
  const executors = listOf(flow['executors']);
  const written = objectOf(flow['dependencies']) ?? {};
  return executors.map((executor) =>
    typeof executor !== 'string'
      ? []
      : listOf(written[executor]).flatMap((name) => present(indexOf(executors, name))),
  );
}

function indexOf(values: readonly JsonValue[], value: JsonValue): number | null {
  const index = values.indexOf(value);
  return index < 0 ? null : index;
}

/** The log has one form of an id, however it was typed. */
function idOf(written: string): string {
  return written.normalize('NFC');
}

function objectOf(value: JsonValue | undefined): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

function present<T>(value: T | null): readonly T[] {
  return value === null ? [] : [value];
}
