import type { FlowTree } from '../flow/flow-node.js';
import { GraphOrRows } from './graph-or-rows.js';

interface Props {
  readonly tree: FlowTree;
  readonly selected: string | null;
  readonly onSelect: (path: string) => void;
}

/** The flow of a definition, drawn as that of its runs. */
export function DefinitionGraph({ tree, selected, onSelect }: Props) {
  return (
    <GraphOrRows
      tree={tree}
      picture={null}
      now={0}
      selected={selected}
      failedPath={null}
      onSelect={onSelect}
    />
  );
}
