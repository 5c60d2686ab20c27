import { Graph, layout } from '@dagrejs/dagre';
import type { DagLayout } from '../flow-layout.js';

const BETWEEN_NODES = 24;
const BETWEEN_ROWS = 48;

/** The executors of a dag in rows, in an order that crosses few lines. Takes long for a large one: it belongs into a worker. */
export const dagrePositions: DagLayout = ({ dependencies = [] }, sizes) => {
  const graph = new Graph();
  graph.setGraph({ rankdir: 'TB', nodesep: BETWEEN_NODES, ranksep: BETWEEN_ROWS });
  graph.setDefaultEdgeLabel(() => ({}));
  sizes.forEach(({ width, height }, index) => graph.setNode(String(index), { width, height }));
  dependencies.forEach((others, index) => {
    for (const other of others) graph.setEdge(String(other), String(index));
  });
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { readonly width?: number; readonly height?: number };
  const at = sizes.map((size, index) => {
    const { x, y } = graph.node(String(index)) as { readonly x: number; readonly y: number };
    return { x: x - size.width / 2, y: y - size.height / 2 };
  });
  return { width, height, at };
};
