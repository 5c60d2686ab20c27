import type { RunMessage } from 'flowgate-client';
import { asking, deciding, pausing, retrying, type StepLine } from '../run/step-line.js';
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
      case 'timer-set':
        return { tone: 'faint', subject: message.unitId, text: waitText(message.dueAt) };
      case 'child-started':
        return {
          tone: 'faint',
          subject: message.unitId,
          text: `started the run ${oneLine(message.childRunId)} of ${oneLine(message.workflowId)}`,
        };
      case 'child-paused':
        return {
          tone: 'careful',
          subject: message.unitId,
          text: `waits: the run ${oneLine(message.childRunId)} is paused`,
        };
      case 'child-ended':
        return childEnd(message);
      case 'policy-violation':
        return { tone: 'bad', subject: message.unitId, text: oneLine(message.violation) };
      case 'run-paused':
        return pausing(message);
      case 'rewound':
        return { tone: 'plain', subject: 'run', text: 'went back to a checkpoint' };
      case 'run-failed':
        return { tone: 'bad', subject: 'run', text: `failed: ${oneLine(message.error)}` };
      case 'cancel-requested':
        return { tone: 'careful', subject: 'run', text: `is being cancelled by ${oneLine(message.by)}` };
      case 'run-cancelled':
        return { tone: 'bad', subject: 'run', text: `cancelled by ${oneLine(message.by)}` };
      default:
        return null;
    }
  };
}

/** A server may say anything. */
function waitText(dueAt: number): string {
  const due = new Date(dueAt);
  return Number.isNaN(due.getTime()) ? 'waits' : `waits until ${due.toISOString()}`;
}

const CHILD_ENDS = { completed: 'is completed', failed: 'has failed', cancelled: 'was cancelled' } as const;

function childEnd(message: RunMessage & { readonly type: 'child-ended' }): StepLine {
  const { unitId, childRunId, status } = message;
  const tone = status === 'completed' ? 'good' : 'bad';
  return { tone, subject: unitId, text: `the run ${oneLine(childRunId)} ${CHILD_ENDS[status] ?? 'is over'}` };
}
