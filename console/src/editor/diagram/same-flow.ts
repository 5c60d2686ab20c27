import type { TextReading } from '../../documents/text-reading.js';

/** Whether two flows are drawn in the same way. They have a bounded number of parts. */
export function isSameFlow(one: TextReading['flow'], other: TextReading['flow']): boolean {
  return one === other || picture(one) === picture(other);
}

function picture(flow: TextReading['flow']): string {
  if (flow === null || flow === 'too-large') return JSON.stringify(flow);
  return JSON.stringify([flow.root, [...flow.units.values()].map(({ id, uses }) => [id, uses])]);
}
