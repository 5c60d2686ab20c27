import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { doorTo } from '../ui/door.js';
import { flowTreeFor } from '../documents/document-of.js';
import type { FlowTree } from '../run/flow/flow-node.js';

const Graph = doorTo(async () => (await import('../run/graph/definition-graph.js')).DefinitionGraph);

/** The flow of a version that is registered. */
export function DefinitionDiagram({ yaml }: { readonly yaml: string }) {
  const tree = useSignal<FlowTree | null | undefined>(undefined);
  const selected = useSignal<string | null>(null);
  useEffect(() => {
    void flowTreeFor(yaml).then((read) => (tree.value = read));
  }, [yaml]);
  if (tree.value === undefined) return <p class="muted">Loading…</p>;
  if (tree.value === null) return <p class="muted">The document has no flow that can be drawn.</p>;
  return <Graph tree={tree.value} selected={selected.value} onSelect={(path) => (selected.value = path)} />;
}
