import { useSignal } from '@preact/signals';
import type { GateItem } from 'flowgate-client/remote';
import { client } from '../api/service.js';
import { useReading } from '../api/reading.js';
import { href } from '../app/router.js';
import { StateMark } from '../ui/state/state-mark.js';
import { Ago } from '../ui/text/instants.js';
import { PlainText } from '../ui/text/plain-text.js';
import { Trouble } from '../ui/trouble.js';

const PAGE = 50;

/** What was decided, newest first. */
export function DecidedGates() {
  const older = useSignal<{ readonly items: readonly GateItem[]; readonly next: string | null } | null>(null);
  const trouble = useSignal<Error | null>(null);
  const isReading = useSignal(false);
  const {
    value: page,
    error,
    again,
  } = useReading('decided', (signal) =>
    client.value.listGates({ status: 'decided', limit: PAGE, signal }),
  ).value;
  if (page === undefined) return <Trouble error={error} onAgain={again} />;
  const items = [...page.items, ...(older.value?.items ?? [])];
  const next = older.value === null ? page.next : older.value.next;
  const more = async (): Promise<void> => {
    // Pressed twice, it is one page.
    if (isReading.peek()) return;
    isReading.value = true;
    trouble.value = null;
    try {
      const found = await client.value.listGates({
        status: 'decided',
        limit: PAGE,
        cursor: next ?? undefined,
      });
      older.value = { items: [...(older.value?.items ?? []), ...found.items], next: found.next };
    } catch (refusal) {
      trouble.value = refusal as Error;
    } finally {
      isReading.value = false;
    }
  };
  if (items.length === 0) {
    return (
      <div class="empty">
        <h2>Nothing was decided yet</h2>
        <p>Every decision is kept here, with who made it and why.</p>
      </div>
    );
  }
  return (
    <div class="table folds">
      <table>
        <thead>
          <tr>
            <th>Decision</th>
            <th>Asked</th>
            <th>By</th>
            <th>When</th>
            <th>Comment</th>
            <th>Run</th>
          </tr>
        </thead>
        <tbody>
          {items.map((gate) => (
            <Row key={`${gate.runId} ${gate.gateId}`} gate={gate} />
          ))}
        </tbody>
      </table>
      <Trouble error={trouble.value} />
      {next === null ? null : (
        <div class="table-foot">
          <button type="button" aria-disabled={isReading.value} onClick={() => void more()}>
            Older decisions
          </button>
        </div>
      )}
    </div>
  );
}

function Row({ gate: { decision, title, titleCut, workflowId, runId } }: { readonly gate: GateItem }) {
  return (
    <tr>
      <td>
        <StateMark state={decision?.approved === true ? 'completed' : 'failed'}>
          {decision?.approved === true ? 'approved' : 'rejected'}
        </StateMark>
      </td>
      <td class="fill">
        <PlainText text={title} isCut={titleCut === true} />
      </td>
      <td class="id">{decision === undefined ? null : <PlainText text={decision.responder} />}</td>
      <td class="id muted">{decision === undefined ? null : <Ago at={decision.decidedAt} />}</td>
      <td class="muted">
        {(decision?.comment ?? '') === '' ? null : <PlainText text={decision?.comment ?? ''} />}
      </td>
      <td class="id">
        <a data-step href={href('run', { workflow: workflowId, run: runId })}>
          <PlainText text={workflowId} />
        </a>
      </td>
    </tr>
  );
}
