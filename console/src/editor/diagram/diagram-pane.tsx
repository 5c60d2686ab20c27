import { doorTo } from '../../ui/door.js';
import type { EditorModel } from '../editor-model.js';

const Graph = doorTo(async () => (await import('../../run/graph/definition-graph.js')).DefinitionGraph);

/** The flow of what is written: while that has faults, of the last text without. */
export function DiagramPane({ model }: { readonly model: EditorModel }) {
  const flow = model.flow.value;
  if (flow === null)
    return (
      <p class="muted">
        {model.isFlowOld.value ? 'Nothing can be drawn before the faults are mended.' : 'Reading…'}
      </p>
    );
  if (flow === 'too-large')
    return (
      <p class="muted">The flow has more than 2,000 parts, which are not drawn while they are written.</p>
    );
  return (
    <>
      <p class="small muted editor-note">
        {model.isFlowOld.value
          ? 'Of the last text without faults.'
          : 'Of the text as it is. A unit leads to its lines.'}
      </p>
      <Graph tree={flow} selected={model.selected.value} onSelect={(path) => model.goToPath(path)} />
    </>
  );
}
