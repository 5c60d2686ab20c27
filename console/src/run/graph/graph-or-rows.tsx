import { isNarrow } from '../../ui/narrow.js';
import type { FlowTree } from '../flow/flow-node.js';
import type { RunPicture } from '../log/picture.js';
import { FlowRows } from './flow-rows.js';
import { GraphView } from './graph-view.js';

interface Props {
  readonly tree: FlowTree;
  /** Null: the tree is of a definition, which no run goes through. */
  readonly picture: RunPicture | null;
  readonly now: number;
  readonly selected: string | null;
  /** Where the run failed; null: it did not, or nobody knows. */
  readonly failedPath: string | null;
  readonly onSelect: (path: string) => void;
}

/** A graph where there is room for one, else rows. */
export function GraphOrRows(props: Props) {
  return isNarrow.value ? <FlowRows {...props} /> : <GraphView {...props} />;
}
