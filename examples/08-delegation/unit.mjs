// A lead who hands out work, and two specialists. The lead is asked again until nothing is left to hand out.
import { serveUnits } from '../lib/units.mjs';

const answers = {
  lead: ({ input, state }) => {
    const code = state['output.coder'];
    const verdict = state['output.tester'];
    if (code === undefined)
      return delegate({ targetUnitId: 'coder', task: `Write ${input.goal}` }, { targetUnitId: 'tester' });
    if (verdict !== 'good')
      return delegate({ targetUnitId: 'coder', task: verdict }, { targetUnitId: 'tester' });
    return { content: `Done: ${code}` };
  },
  code: ({ input, state }) => ({
    content: state['output.coder'] === undefined ? input.task : `${state['output.coder']}, with tests`,
  }),
  test: ({ state }) => ({ content: state['output.coder'].includes('tests') ? 'good' : 'Tests are missing' }),
};

function delegate(...delegations) {
  return { content: 'in work', metadata: { delegations } };
}

export const startUnits = () => serveUnits(answers);
