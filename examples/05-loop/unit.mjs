// A writer and a critic; the text gets better with every round of criticism.
import { serveUnits } from '../lib/units.mjs';

const answers = {
  write: ({ input }) => ({
    content: input.criticism === null ? 'A draft.' : `${input.draft} Better: ${input.criticism}`,
    tokenUsage: { totalTokens: 100, estimatedCost: 0.002 },
  }),
  review: ({ input }) => {
    const improvements = input.draft.split('Better').length - 1;
    return { content: { score: 0.5 + 0.2 * improvements, criticism: `point ${improvements + 1}.` } };
  },
};

export const startUnits = () => serveUnits(answers);
