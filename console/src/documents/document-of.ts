import type { JsonValue } from 'flowgate-client/remote';
import { flowTreeOf } from '../run/flow/flow-tree.js';
import type { FlowTree } from '../run/flow/flow-node.js';
import { askReader } from './reader.js';

/** What the YAML says; null: it is no YAML that a service takes, or it cannot be read here. */
export function documentOf(yaml: string): Promise<JsonValue | null> {
  return askReader(yaml, 'document');
}

/** The flows of a workflow; null: the text is none. */
export async function flowTreeFor(yaml: string): Promise<FlowTree | null> {
  const document = await documentOf(yaml);
  return document === null ? null : flowTreeOf(document);
}
