import type { RunMessage } from 'flowgate-client';
import { asking, deciding, pauseText, retrying, type StepLine } from '../run/step-line.js';
import { oneLine } from '../terminal/printable.js';

/** Gates whose units are remembered, for the line of the decision. */
const MAX_GATES = 1_000;

/** What messages say to people, in the words of `flowgate run`; null: nothing. A message of a newer server says nothing. */
export function messageLines(): (message: RunMessage) => StepLine | null {
  const gates = new Map<number, string>();
  return (message) => {
    switch (message.type) {
      case 'unit-output':
        return { tone: 'good', subject: message.sourceUnitId, text: 'finished' };
      case 'unit-skipped':
        return { tone: 'faint', subject: message.unitId, text: 'skipped' };
      case 'unit-retry':
        return { ...retrying(message), subject: message.unitId };
      case 'unit-failed':
        return { tone: 'bad', subject: message.unitId, text: `failed: ${oneLine(message.error)}` };
      case 'hitl-request':
        if (gates.size < MAX_GATES) gates.set(message.gateId, message.unitId);
        return asking(message.unitId, message.gateId, message.action);
      case 'hitl-response': {
        const unitId = gates.get(message.gateId) ?? `gate ${message.gateId}`;
        gates.delete(message.gateId);
        return deciding(unitId, message.approved, message.responder, message.via);
      }
      case 'delegation':
        return {
          tone: 'plain',
          subject: message.sourceUnitId,
          text: `delegates to ${oneLine(message.targetUnitId)}`,
        };
      case 'run-paused':
        return { tone: 'careful', subject: message.unitId, text: pauseText(message.reason, message.error) };
      case 'rewound':
        return { tone: 'plain', subject: 'run', text: 'went back to a checkpoint' };
      case 'run-failed':
        return { tone: 'bad', subject: 'run', text: `failed: ${oneLine(message.error)}` };
      default:
        return null;
    }
  };
}
