import fc from 'fast-check';
import { workflowText } from '../workflow-arbitrary.js';

type Unit = Record<string, unknown> & { uses: string };

/**
 * The JSON text of a random workflow after which there is a gate that no `if` passes by, with a unit after the gate that is
 * used nowhere else (`uses: behind`). Nothing before the gate fails of itself.
 */
export const gatedText: fc.Arbitrary<string> = workflowText.map((text) => {
  const document = JSON.parse(text) as {
    spec: { units: Unit[]; flow: unknown; onCancel?: unknown };
  };
  const { spec } = document;
  delete spec.onCancel;
  for (const unit of spec.units) {
    if (unit.uses === 'fail' || unit.uses === 'builtin.fail') {
      unit.uses = 'work';
      delete unit['config'];
    }
    if (unit['if'] !== 'false') delete unit['if'];
  }
  spec.units.push(
    { id: 'last-gate', uses: 'builtin.approval' },
    { id: 'behind', uses: 'behind' },
    { id: 'far-behind', uses: 'behind' },
  );
  spec.flow = { type: 'sequential', order: [spec.flow, 'last-gate', 'behind', 'far-behind'] };
  return JSON.stringify(document);
});
