// Books ten invoices, four at a time; the list of bookings is in the order of the invoices.
import { readFile } from 'node:fs/promises';
import { post } from '../lib/flowgate.mjs';
import { show } from '../lib/show.mjs';
import { startUnits } from './unit.mjs';

const invoices = Array.from({ length: 10 }, (_, index) => ({
  id: `INV-${index}`,
  amount: 100 + 10 * index,
  currency: index % 2 === 0 ? 'EUR' : 'USD',
}));

const units = await startUnits();
try {
  const yaml = await readFile(new URL('workflow.yaml', import.meta.url), 'utf8');
  await post('/workflows/from-yaml', { yaml, bindings: units.bindings });
  const record = await post('/workflows/book-invoices/runs', { input: { invoices }, sync: true });
  const bookings = record.result?.state.bookings ?? [];
  const wanted = invoices.map(({ id, amount, currency }) => ({
    booked: id,
    euros: currency === 'USD' ? amount * 0.9 : amount,
  }));
  if (JSON.stringify(bookings) !== JSON.stringify(wanted)) throw new Error('An invoice was booked wrongly.');
  show('ten invoices are booked, four at a time', { ...record, result: { ...record.result, messages: '…' } });
} finally {
  units.stop();
}
