import { readFileSync } from 'node:fs';
import type { FlowType } from '../../../console/src/run/flow/flow-node.ts';
import type { Picture } from '../drawing/svg.ts';
import { flowPicture } from './flow-picture.ts';
import { documentsIn } from './page-documents.ts';

const PAGE = 'docs/language.md';

interface Words {
  /** What the picture shows, for those who do not see it. */
  readonly description: string;
  /** What stands next to the drawing. */
  readonly note: string;
}

const FLOWS: Readonly<Record<Exclude<FlowType, 'unit'>, Words>> = {
  sequential: {
    description: 'A sequential flow: the unit first runs, then the unit second.',
    note: 'One unit after another.',
  },
  parallel: {
    description:
      'A parallel flow: the branches web and papers run at the same time. Both lead to the reducer sum, which runs once they have ended.',
    note: 'All branches at once. The reducer runs once they have ended.',
  },
  router: {
    description:
      'A router flow: the unit intent runs first. Its answer names one of three routes: refund leads to answer, complaint to person, anything else to person.',
    note: 'The answer of the first unit names the route.',
  },
  switch: {
    description:
      'A switch flow: above 10,000 the unit board runs, else above 500 the unit manager, else the unit clerk.',
    note: 'The first case whose condition is true.',
  },
  loop: {
    description:
      'A loop flow: the units refine and score run one after the other. A line leads from the end back to the beginning, until the score is 3 or higher, at most 5 times.',
    note: 'Again and again, one pass after another.',
  },
  foreach: {
    description:
      'A foreach flow: the unit pay is drawn as a stack, as it runs once for each invoice of the input.',
    note: 'One pass for each item of a list.',
  },
  dag: {
    description:
      'A dag flow: the planner plan runs first. Then the executors research and outline run at the same time, and write once both are complete. The aggregator send runs last.',
    note: 'Each executor begins as soon as those that it depends on are complete.',
  },
  delegation: {
    description:
      'A delegation flow: the orchestrator lead hands tasks to the specialists coder and tester, and runs again after them, until it hands out none.',
    note: 'The orchestrator hands out tasks, and runs again after them, until it hands out none.',
  },
  try: {
    description:
      'A try flow with three parts. The first, do, runs reserve and then charge. A failure in it leads to catch, the unit tell. Both end in finally, the unit close.',
    note: 'A failure in do leads to catch (the dashed line). finally runs in any case.',
  },
  race: {
    description:
      'A race flow: the branches slow and quick run at the same time. The one that ends first decides, and the other one is closed.',
    note: 'The first branch to end decides. The others are closed.',
  },
};

/** Each type of flow, drawn from the example that stands under its name on the page of the language. */
export function flowPictures(): readonly Picture[] {
  const documents = documentsIn(readFileSync(PAGE, 'utf8'));
  return Object.entries(FLOWS).map(([type, words]) => {
    const document = documents.get(type);
    if (document === undefined)
      throw new Error(`${PAGE} has no example with the id ${type}: add it, or name another one.`);
    return flowPicture({ name: `flows/${type}`, title: `A flow of type ${type}`, document, ...words });
  });
}
