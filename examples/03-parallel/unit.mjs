// Three suppliers; the third one is out of order today.
import { serveUnits } from '../lib/units.mjs';

const answers = {
  north: ({ input }) => ({ content: { supplier: 'north', price: 12 * input.pieces } }),
  south: ({ input }) => ({ content: { supplier: 'south', price: 11 * input.pieces } }),
  east: () => ({ status: 503, error: 'closed for stocktaking' }),
  // Units see the shared state, so the one that compares finds every quote there is.
  cheapest: ({ state }) => {
    const quotes = Object.values(state).filter((value) => typeof value?.price === 'number');
    return { content: quotes.sort((a, b) => a.price - b.price)[0] };
  },
};

export const startUnits = () => serveUnits(answers);
