import { Fault } from '../ui/fault.js';
import { useSignal } from '@preact/signals';
import { faultSentence } from '../api/fault-sentence.js';
import { client } from '../api/service.js';
import { go } from '../app/router.js';
import { PermittedButton } from '../identity/permitted.js';
import { SAMPLE, SAMPLE_ID, SAMPLE_INPUT } from './sample.js';

/** Registers the sample, starts it, and shows the run. */
export function SampleButton() {
  const isBusy = useSignal(false);
  const fault = useSignal<string | null>(null);
  const begin = async (): Promise<void> => {
    isBusy.value = true;
    fault.value = null;
    try {
      await client.value.loadAndRegister(SAMPLE);
      const { runId } = await client.value.startWorkflow(SAMPLE_ID, SAMPLE_INPUT, {
        labels: { from: 'sample' },
      });
      go('run', { workflow: SAMPLE_ID, run: runId });
    } catch (error) {
      fault.value = faultSentence(error);
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <>
      <PermittedButton
        permission="workflow:register"
        class="primary"
        isBusy={isBusy.value}
        onClick={() => void begin()}
      >
        {isBusy.value ? 'Starting…' : 'Try the sample'}
      </PermittedButton>
      <Fault text={fault.value} />
    </>
  );
}
