import { signal } from '@preact/signals';
import { startWorker } from '../../app/worker.js';
import type { FlowTree } from '../flow/flow-node.js';
import { layoutOf, rowsByDepth, type DagPositions, type FlowLayout, type Size } from './flow-layout.js';
import type { LayoutAnswer, LayoutQuestion } from './layout-messages.js';

/** After that a dag is shown row by row: nobody waits for a finer order. */
const FINER_WITHIN_MS = 1_000;

/** The layout of a tree, and, where it has dags, a finer one soon after. Returns what ends that. */
export function layOut(tree: FlowTree): {
  readonly layout: ReturnType<typeof signal<FlowLayout>>;
  end(): void;
} {
  const asked: LayoutQuestion[] = [];
  const first = layoutOf(tree.root, (node, sizes) => {
    asked.push({ path: node.path, sizes: sizes.map(sizeOf), dependencies: node.dependencies ?? [] });
    return rowsByDepth(node, sizes);
  });
  const layout = signal<FlowLayout | undefined>(first);
  // A dag inside of another one changes the sizes of the outer: only those without are asked about.
  const simple = asked.filter(({ path }) => !asked.some((other) => other.path.startsWith(`${path}/`)));
  if (simple.length === 0) return { layout, end: () => undefined };
  const worker = startWorker('layout-worker');
  const finer = new Map<string, DagPositions>();
  const timer = setTimeout(() => worker.terminate(), FINER_WITHIN_MS);
  const end = (): void => {
    clearTimeout(timer);
    worker.terminate();
  };
  worker.addEventListener('message', ({ data }: MessageEvent<LayoutAnswer>) => {
    finer.set(data.path, data.positions);
    if (finer.size < simple.length) return;
    end();
    layout.value = layoutOf(tree.root, (node, sizes) => finer.get(node.path) ?? rowsByDepth(node, sizes));
  });
  for (const question of simple) worker.postMessage(question);
  return { layout, end };
}

/** A message takes plain data alone. */
function sizeOf({ width, height }: Size): Size {
  return { width, height };
}
