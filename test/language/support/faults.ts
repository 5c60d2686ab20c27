import { createEngine } from '../../../src/engine/index.js';
import type { Fault } from '../../../src/errors/document-errors.js';

/** Stands in a text before the character that a fault must point to. */
const MARK = '»';

export interface Refusal {
  /** `YamlValidationError` or `YamlLoadError`. */
  readonly type: string;
  readonly message: string;
  readonly details: readonly Fault[];
}

/** The position of the mark; counts from 1, as faults do. */
export function markedPlace(text: string): { readonly line: number; readonly column: number } {
  const lines = text.slice(0, text.indexOf(MARK)).split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

/** Registers the text (without its mark) with a real engine that knows the unit `acme.work`; it must be refused. */
export async function refusalOf(text: string, bindings?: unknown): Promise<Refusal> {
  const engine = createEngine();
  engine.registerUnit('acme.work', () => null);
  try {
    await engine.workflows.register({ yaml: text.replace(MARK, ''), bindings });
  } catch (error) {
    const { constructor, message, details } = error as Error & { readonly details: readonly Fault[] };
    return { type: constructor.name, message, details };
  }
  throw new Error(`This was accepted:\n${text}`);
}

/** A document with the given `spec`, written from its first column on. */
export function documentWith(spec: string): string {
  const body = spec.trim().replaceAll(/^/gm, '  ');
  return `apiVersion: flowgate/v1\nkind: Workflow\nmetadata: { id: faulty }\nspec:\n${body}\n`;
}

/** Two units, `a` and `b`, and the given flow. */
export function flowOf(flow: string, more = ''): string {
  return documentWith(`
${more.trim()}
units:
  - { id: a, uses: acme.work }
  - { id: b, uses: acme.work }
flow:
${flow.trim().replaceAll(/^/gm, '  ')}`);
}

/** A unit with the given fields, and a second one. */
export function unitOf(fields: string): string {
  return documentWith(`
units:
  - id: a
${fields.trim().replaceAll(/^/gm, '    ')}
  - { id: b, uses: acme.work }
flow: { type: sequential }`);
}
