import { signal, type ReadonlySignal } from '@preact/signals';
import { startWorker } from '../../app/worker.js';
import type { FlowTree } from '../flow/flow-node.js';
import { layoutOf, rowsByDepth, type DagPositions, type FlowLayout } from './flow-layout.js';
import type { LayoutAnswer, LayoutQuestion } from './dag/layout-messages.js';

/** After that a dag is shown row by row: nobody waits for a finer order. */
const FINER_WITHIN_MS = 1_000;

export interface LayingOut {
  readonly layout: ReadonlySignal<FlowLayout>;
  end(): void;
}

/** The layout of a tree, and, where it has dags, a finer one within a second: of those that are there by then, however they nest. */
export function layOut(tree: FlowTree): LayingOut {
  const layout = signal(layoutOf(tree.root));
  if (![...tree.nodes.values()].some(({ type }) => type === 'dag')) return { layout, end: () => undefined };
  const finer = new Map<string, DagPositions>();
  const worker = startWorker('layout-worker');
  const end = (): void => {
    clearTimeout(timer);
    worker.terminate();
  };
  const show = (): void => {
    end();
    if (finer.size === 0) return;
    // An inner dag is answered for before the one around it, which without an answer goes by its rows, and by the sizes within.
    layout.value = layoutOf(tree.root, (node, sizes) => finer.get(node.path) ?? rowsByDepth(node, sizes));
  };
  const timer = setTimeout(show, FINER_WITHIN_MS);
  worker.addEventListener('message', ({ data }: MessageEvent<LayoutAnswer>) => {
    if (data.kind === 'done') show();
    else finer.set(data.path, data.positions);
  });
  worker.addEventListener('error', show);
  const question: LayoutQuestion = { root: tree.root };
  worker.postMessage(question);
  return { layout, end };
}
