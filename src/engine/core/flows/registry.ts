import type { FlowBehaviour } from '../turn/behaviour.js';
import type { FlowNode } from '../plan/plan.js';
import { dag } from './fan-outs/dag.js';
import { delegation } from './delegation.js';
import { foreach } from './fan-outs/foreach.js';
import { loop } from './loop.js';
import { parallel } from './fan-outs/parallel.js';
import { race } from './fan-outs/race.js';
import { router } from './router.js';
import { sequential } from './sequential.js';
import { switchFlow } from './switch.js';
import { tryFlow } from './try.js';

type CompositeNode = Exclude<FlowNode, { type: 'unit' }>;

/** Every flow type and its one file. */
export const FLOWS: {
  readonly [T in CompositeNode['type']]: FlowBehaviour<Extract<CompositeNode, { type: T }>>;
} = {
  sequential,
  parallel,
  router,
  switch: switchFlow,
  loop,
  foreach,
  dag,
  delegation,
  try: tryFlow,
  race,
};
