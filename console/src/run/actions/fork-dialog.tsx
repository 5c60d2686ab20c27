import { Fault } from '../../ui/fault.js';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { ForkOptions, JsonObject, JsonValue } from 'flowgate-client/remote';
import { faultSentence } from '../../api/fault-sentence.js';
import { useReading } from '../../api/reading.js';
import { client } from '../../api/service.js';
import { go } from '../../app/router.js';
import { PermittedButton } from '../../identity/permitted.js';
import { Dialog } from '../../ui/dialog.js';
import { Trouble } from '../../ui/trouble.js';
import type { RunModel } from '../live/run-model.js';
import type { Execution, RunPicture } from '../log/picture.js';
import { Effects } from './effects.js';
import { JsonField, readJson } from './json-field.js';
import { occurrenceOf } from './occurrence.js';

interface Props {
  readonly model: RunModel;
  readonly picture: RunPicture;
  /** Before which call it begins at first. Null: from the start. */
  readonly before: Execution | null;
  readonly onClose: () => void;
}

/** A new run that begins where this one was, with something changed. */
export function ForkDialog({ model, picture, before, onClose }: Props) {
  const { workflowId, runId } = model;
  const input = useSignal('');
  const state = useSignal('');
  /** What somebody has written for a call: for another one it does not count. */
  const written = useSignal<{ readonly callId: number; readonly text: string } | null>(null);
  const isCurrent = useSignal(false);
  const fault = useSignal<string | null>(null);
  const isBusy = useSignal(false);
  const closing = useMemo(() => new AbortController(), []);
  useEffect(() => () => closing.abort(), []);
  const calls = picture.executions.filter(
    ({ id, kind, isSuperseded, compensates }) =>
      id > 0 && kind !== 'skip' && kind !== 'fail' && !isSuperseded && compensates === null,
  );
  // A call that the run went back beyond, or that undoes another, is no place to begin at.
  const from = useSignal(calls.some(({ id }) => id === before?.id) ? `unit ${before?.id}` : 'start');
  const [kind, number] = from.value.split(' ');
  const call = kind === 'unit' ? calls.find(({ id }) => id === Number(number)) : undefined;
  const callId = call?.kind === 'unit' ? call.id : null;
  // Of its event by itself: pages of events, and so the picture, leave large values out.
  const { value: given, error: unread } = useReading(`given ${runId} ${callId}`, async (signal) =>
    callId === null
      ? null
      : (await client.value.getEvent(workflowId, runId, callId, { view: 'log', signal })).data,
  ).value;
  const seq = kind === 'start' ? 0 : kind === 'unit' ? Number(number) - 1 : Number(number);
  const fork = async (): Promise<void> => {
    fault.value = null;
    isBusy.value = true;
    try {
      const options = await optionsOf();
      const { runId: forked } = await client.value.fork(workflowId, runId, options);
      onClose();
      go('run', { workflow: workflowId, run: forked, against: undefined, compare: runId });
    } catch (error) {
      fault.value = faultSentence(error);
    } finally {
      isBusy.value = false;
    }
  };
  const occurrence = (of: Execution): Promise<number> => {
    const known = { workflowId, runId, events: model.events.peek(), firstSeq: model.firstSeq.peek() };
    return occurrenceOf(client.value, known, of, closing.signal);
  };
  const optionsOf = async (): Promise<ForkOptions> => {
    const ofRun = readJson('The input', input.value);
    const laid = readJson('The state', state.value);
    const called =
      written.value?.callId === callId ? readJson('What the unit is given', written.value.text) : undefined;
    const isUnitChanged = called !== undefined && JSON.stringify(called) !== JSON.stringify(given?.['input']);
    return {
      ...(kind === 'start'
        ? {}
        : {
            from:
              call === undefined
                ? { snapshotId: `${runId}.${seq}` }
                : { unitId: call.unitId, occurrence: await occurrence(call) },
          }),
      ...(ofRun === undefined ? {} : { input: ofRun as JsonObject }),
      ...(laid === undefined ? {} : { state: laid as JsonObject }),
      ...(isUnitChanged ? { unitInput: called as JsonValue } : {}),
      ...(isCurrent.value ? { definition: 'current' as const } : {}),
    };
  };
  return (
    <Dialog title="Fork this run" isLarge onClose={onClose}>
      <p class="muted">A new run begins where this one was. This one stays as it is.</p>
      <label class="field">
        <span>From</span>
        <select value={from.value} onChange={({ currentTarget }) => (from.value = currentTarget.value)}>
          <option value="start">the start</option>
          <optgroup label="Just before a unit">
            {calls.slice(-200).map(({ id, unitId }) => (
              <option key={id} value={`unit ${id}`}>
                {id}: {unitId}
              </option>
            ))}
          </optgroup>
          <optgroup label="After a checkpoint">
            {picture.checkpoints.slice(-200).map((one) => (
              <option key={one.seq} value={`checkpoint ${one.seq}`}>
                {one.seq}: {one.after.replaceAll('-', ' ')} {one.unitId}
              </option>
            ))}
          </optgroup>
        </select>
      </label>
      <Effects picture={picture} seq={seq} />
      <Trouble error={unread} />
      {call === undefined || callId === null || given === undefined || given === null ? null : (
        <JsonField
          label={`What ${call.unitId} is given, once`}
          hint="In place of what its `with` says. Left as it is, that counts."
          text={written.value?.callId === callId ? written.value.text : textOf(given['input'])}
          onText={(text) => (written.value = { callId, text })}
        />
      )}
      <JsonField
        label="Input of the run"
        hint="Left empty, it is the same."
        text={input.value}
        onText={(text) => (input.value = text)}
      />
      <JsonField
        label="Laid over the state"
        hint="Keys that this run should find otherwise."
        text={state.value}
        onText={(text) => (state.value = text)}
      />
      <label class="row">
        <input
          type="checkbox"
          checked={isCurrent.value}
          onChange={({ currentTarget }) => (isCurrent.value = currentTarget.checked)}
        />
        Go on by the definition that is registered now
      </label>
      <Fault text={fault.value} />
      <div class="dialog-foot">
        <button type="button" onClick={onClose}>
          Leave it
        </button>
        <PermittedButton
          permission="run:fork"
          class="primary"
          isBusy={isBusy.value}
          onClick={() => void fork()}
        >
          Go on from here
        </PermittedButton>
      </div>
    </Dialog>
  );
}

/** Nothing where nothing of its own was given. */
function textOf(value: JsonValue | undefined): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2);
}
