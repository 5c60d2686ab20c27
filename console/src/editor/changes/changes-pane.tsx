import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { startWorker } from '../../app/worker.js';
import { DiffText } from '../../workflows/text/diff-text.js';
import type { EditorModel } from '../editor-model.js';
import type { DifferenceAnswer, DifferenceQuestion } from './difference-messages.js';

/** While somebody types, nothing is compared. */
const REST_MS = 300;

/** What of the text is other than what is registered. */
export function ChangesPane({ model }: { readonly model: EditorModel }) {
  const registered = model.registered.value;
  const to = model.readText.value;
  const difference = useSignal<DifferenceAnswer | undefined>(undefined);
  useEffect(() => {
    if (registered === null) return undefined;
    let worker: Worker | null = null;
    const timer = setTimeout(() => {
      worker = startWorker('difference-worker');
      worker.addEventListener('message', ({ data }: MessageEvent<DifferenceAnswer>) => {
        difference.value = data;
        worker?.terminate();
      });
      const question: DifferenceQuestion = { from: registered.yaml, to };
      worker.postMessage(question);
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      worker?.terminate();
    };
  }, [registered, to]);
  if (registered === null) return <p class="muted">Nothing of this workflow is registered yet.</p>;
  if (difference.value === undefined) return <p class="muted">Comparing…</p>;
  if (difference.value === null)
    return <p class="muted">The texts have too little in common to be shown line by line.</p>;
  if (difference.value === '') return <p class="muted">The text is what is registered.</p>;
  return <DiffText text={difference.value} />;
}
