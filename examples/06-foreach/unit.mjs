// Looks up rates and books invoices.
import { serveUnits } from '../lib/units.mjs';

const answers = {
  rate: ({ input }) => ({ content: { EUR: 1, USD: 0.9 }[input.currency] ?? 1 }),
  book: ({ input }) => ({ content: { booked: input.id, euros: input.euros } }),
};

export const startUnits = () => serveUnits(answers);
