import { dagrePositions } from './dagre-positions.js';
import { layoutOf } from '../flow-layout.js';
import type { LayoutAnswer, LayoutQuestion } from './layout-messages.js';

/** Lays dags out next to the page: large ones take longer than a frame. */
const scope = globalThis as unknown as {
  addEventListener(type: 'message', listener: (message: { readonly data: LayoutQuestion }) => void): void;
  postMessage(answer: LayoutAnswer): void;
};

scope.addEventListener('message', ({ data: { root } }) => {
  layoutOf(root, (node, sizes) => {
    const positions = dagrePositions(node, sizes);
    scope.postMessage({ kind: 'dag', path: node.path, positions });
    return positions;
  });
  scope.postMessage({ kind: 'done' });
});
