// Stands in for a model that reads a mail and says what it is about.
import { serveUnits } from '../lib/units.mjs';

const answers = {
  classify: ({ input }) => {
    const route = /money back|refund/i.test(input.mail)
      ? 'refund'
      : /broken|error/i.test(input.mail)
        ? 'technical'
        : 'other';
    return { content: `It is about: ${route}.`, metadata: { route }, tokenUsage: { totalTokens: 40 } };
  },
};

export const startUnits = () => serveUnits(answers);
