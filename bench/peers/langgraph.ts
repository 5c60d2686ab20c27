// LangGraph.js: three nodes in a row. Argument: `saver` for its MemorySaver, each run in a thread of its own.
import { randomUUID } from 'node:crypto';
import { Annotation, END, MemorySaver, START, StateGraph } from '@langchain/langgraph';
import { contend } from '../support/contender.ts';

const State = Annotation.Root({
  amount: Annotation<number>(),
  a: Annotation<unknown>(),
  b: Annotation<unknown>(),
  c: Annotation<unknown>(),
});
const withSaver = process.argv[2] === 'saver';
// Its saver forgets nothing by itself: a new one now and then, so that a long round does not measure a full heap.
const RUNS_PER_SAVER = 5_000;

function graph() {
  return new StateGraph(State)
    .addNode('unitA', async () => ({ a: { ok: true } }))
    .addNode('unitB', async () => ({ b: { ok: true } }))
    .addNode('unitC', async () => ({ c: { ok: true } }))
    .addEdge(START, 'unitA')
    .addEdge('unitA', 'unitB')
    .addEdge('unitB', 'unitC')
    .addEdge('unitC', END)
    .compile(withSaver ? { checkpointer: new MemorySaver() } : {});
}

let compiled = graph();
let runs = 0;

contend(
  {
    run: async () => {
      if (withSaver && ++runs % RUNS_PER_SAVER === 0) compiled = graph();
      const options = withSaver ? { configurable: { thread_id: randomUUID() } } : {};
      const { c } = await compiled.invoke({ amount: 5 }, options);
      if (c === undefined) throw new Error('It did not come to its end.');
    },
  },
  async () => {},
);
