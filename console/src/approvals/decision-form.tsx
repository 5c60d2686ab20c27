import { Fault } from '../ui/fault.js';
import { useSignal } from '@preact/signals';
import { useId, useMemo } from 'preact/hooks';
import { FlowgateApiError, type GateItem } from 'flowgate-client/remote';
import { newIdempotencyKey } from '../../../clients/typescript/src/calls/idempotency-key.js';
import { faultSentence } from '../api/fault-sentence.js';
import { client } from '../api/service.js';
import { settings } from '../api/settings.js';
import { useDraft } from '../identity/draft.js';
import { PermittedButton } from '../identity/permitted.js';
import { claimName, session } from '../identity/session.js';
import { actingAs, whoAmI } from '../identity/who-am-i.js';

const LONGEST_COMMENT = 10_000;

interface Props {
  readonly gate: GateItem;
  readonly isResting: boolean;
  /** Called once the service says that the gate does not wait any more, whoever decided. */
  readonly onSettled: () => void;
}

/** The code of a refusal: somebody else was faster. */
const DECIDED = 'decided-gate';

/** Approve or reject, once. */
export function DecisionForm({ gate, isResting, onSettled }: Props) {
  const id = useId();
  const comment = useDraft(`comment.${gate.runId}.${gate.gateId}`);
  const sent = useSignal<'approved' | 'rejected' | null>(null);
  const fault = useSignal<string | null>(null);
  // One for the card: pressed twice, or on a line that breaks, it is one decision.
  const idempotencyKey = useMemo(newIdempotencyKey, [gate.runId, gate.gateId]);
  const isClaimed = settings.value.identity.kind === 'none';

  const decide = async (approved: boolean): Promise<void> => {
    const name = actingAs() ?? whoAmI.value?.id ?? 'user';
    if (name === '') {
      fault.value = 'Type your name first: it is kept with the decision.';
      document.getElementById(`${id}-name`)?.focus();
      return;
    }
    fault.value = null;
    sent.value = approved ? 'approved' : 'rejected';
    try {
      await client.value.respondHITL(gate.workflowId, gate.runId, approved, name, {
        gateId: gate.gateId,
        comment: comment.value.trim() === '' ? undefined : comment.value.trim(),
        // Once it is durable: what follows may take weeks. The card goes when the gate has left the list.
        syncUntil: 'recorded',
        idempotencyKey: `${idempotencyKey}-${approved ? 'yes' : 'no'}`,
      });
      comment.value = '';
      onSettled();
    } catch (error) {
      sent.value = null;
      fault.value = faultSentence(error);
      if (error instanceof FlowgateApiError && error.code === DECIDED) onSettled();
    }
  };
  const isBusy = isResting || sent.value !== null;
  return (
    <div class="decide">
      {isClaimed ? (
        <div class="field">
          <label class="field-name" for={`${id}-name`}>
            Your name
          </label>
          <input
            id={`${id}-name`}
            autoComplete="name"
            maxLength={256}
            value={session.claimedName.value}
            aria-describedby={`${id}-claimed`}
            onInput={(event) => claimName(event.currentTarget.value)}
          />
          <span id={`${id}-claimed`} class="hint">
            Kept with the decision as you claim it: this service asks nobody who they are.
          </span>
        </div>
      ) : null}
      <label class="field">
        <span>Comment</span>
        <textarea
          maxLength={LONGEST_COMMENT}
          rows={2}
          value={comment.value}
          onInput={(event) => (comment.value = event.currentTarget.value)}
        />
      </label>
      <Fault text={fault.value} />
      <div class="buttons">
        <PermittedButton
          permission="gate:decide"
          class="reject"
          isBusy={isBusy}
          onClick={() => void decide(false)}
        >
          {sent.value === 'rejected' ? 'Rejecting…' : 'Reject'}
        </PermittedButton>
        <PermittedButton
          permission="gate:decide"
          class="approve"
          isBusy={isBusy}
          onClick={() => void decide(true)}
        >
          {sent.value === 'approved' ? 'Approving…' : 'Approve'}
        </PermittedButton>
      </div>
    </div>
  );
}
