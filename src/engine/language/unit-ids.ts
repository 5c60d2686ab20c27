import { isReservedKey } from '../core/plan/reserved-key.js';
import type { FlowDocument, FlowObjectDocument, SpecDocument, WorkflowDocument } from './document.js';

/** One name can be written in several ways (é is one character or two): ids are compared, and kept, in NFC. */
function unitIdOf(text: string): string {
  return text.normalize('NFC');
}

/** A key that ends in a unit's id (`output.…`, `errors.…`); others are kept as they are written. */
export function stateKeyOf(key: string): string {
  return isReservedKey(key) ? unitIdOf(key) : key;
}

/** The document with its unit ids, and whatever names a unit, in NFC. It satisfies the schema. */
export function withUnitIds(document: WorkflowDocument): WorkflowDocument {
  const { entry, units, flow, ...rest } = document.spec;
  const spec: SpecDocument = {
    ...rest,
    ...(entry === undefined ? {} : { entry: unitIdOf(entry) }),
    units: units.map((unit) => ({ ...unit, id: unitIdOf(unit.id) })),
    flow: flowWithIds(flow),
  };
  return { ...document, spec };
}

function flowWithIds(flow: FlowDocument): FlowDocument {
  if (typeof flow === 'string') return unitIdOf(flow);
  return mapEntries(flow as unknown as Fields, fieldWithIds) as unknown as FlowObjectDocument;
}

type Fields = Readonly<Record<string, unknown>>;

/** A field's name says what it holds, whatever the type of the flow. */
function fieldWithIds(value: unknown, name: string): unknown {
  switch (name) {
    case 'order':
    case 'units':
    case 'executors':
    case 'specialists':
      return (value as readonly FlowDocument[]).map(flowWithIds);
    case 'reducer':
    case 'routerUnit':
    case 'default':
    case 'unit':
    case 'do':
    case 'planner':
    case 'aggregator':
    case 'orchestrator':
      return flowWithIds(value as FlowDocument);
    case 'routes':
      return mapEntries(value as Readonly<Record<string, FlowDocument>>, flowWithIds);
    case 'cases':
      return (value as readonly { readonly do: FlowDocument }[]).map((one) => ({
        ...one,
        do: flowWithIds(one.do),
      }));
    case 'dependencies':
      return dependenciesWithIds(value as Readonly<Record<string, readonly string[]>>);
    default:
      return value;
  }
}

/** Two keys may be one id: what both wait for is waited for. */
function dependenciesWithIds(dependencies: Readonly<Record<string, readonly string[]>>) {
  const merged = bareRecord<readonly string[]>();
  for (const [name, waitsFor] of Object.entries(dependencies)) {
    const id = unitIdOf(name);
    merged[id] = [...(merged[id] ?? []), ...waitsFor.map(unitIdOf)];
  }
  return merged;
}

function mapEntries<T>(fields: Readonly<Record<string, T>>, change: (value: T, name: string) => T) {
  const changed = bareRecord<T>();
  for (const [name, value] of Object.entries(fields)) changed[name] = change(value, name);
  return changed;
}

/** A record without a prototype, as all objects of a document are: it has only the names that were written. */
function bareRecord<T>(): Record<string, T> {
  return Object.create(null) as Record<string, T>;
}
