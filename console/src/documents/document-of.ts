import type { JsonValue } from 'flowgate-client/remote';
import { startWorker } from '../app/worker.js';
import { flowTreeOf } from '../run/flow/flow-tree.js';
import type { FlowTree } from '../run/flow/flow-node.js';
import type { ReaderAnswer, ReaderQuestion } from './reader-messages.js';

let worker: Worker | null = null;
let last = 0;
const waiting = new Map<number, (document: JsonValue | null) => void>();

/** What the YAML says; null: it is no YAML that a service takes, or it cannot be read here. */
export function documentOf(yaml: string): Promise<JsonValue | null> {
  return new Promise((resolve) => {
    const id = (last += 1);
    waiting.set(id, resolve);
    const question: ReaderQuestion = { id, yaml };
    reader().postMessage(question);
  });
}

/** The flows of a workflow; null: the text is none. */
export async function flowTreeFor(yaml: string): Promise<FlowTree | null> {
  const document = await documentOf(yaml);
  return document === null ? null : flowTreeOf(document);
}

/** One reader for all that is read, as long as it lives. */
function reader(): Worker {
  if (worker !== null) return worker;
  worker = startWorker('reader-worker');
  worker.addEventListener('message', ({ data }: MessageEvent<ReaderAnswer>) => {
    waiting.get(data.id)?.(data.document);
    waiting.delete(data.id);
  });
  worker.addEventListener('error', () => {
    worker = null;
    for (const resolve of waiting.values()) resolve(null);
    waiting.clear();
  });
  return worker;
}
