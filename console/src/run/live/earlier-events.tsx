import { Trouble } from '../../ui/trouble.js';
import type { RunModel } from './run-model.js';

/** Says, above every view of a long run, that its beginning is missing, and reads back on demand. */
export function EarlierEvents({ model }: { readonly model: RunModel }) {
  const firstSeq = model.firstSeq.value;
  if (firstSeq === null) return null;
  const earlier = model.earlier.value;
  const shown = model.events.value.filter(({ seq }) => seq >= firstSeq).length;
  return (
    <div class="notice" role="status">
      <p>
        These are the newest {shown.toLocaleString()} events; {(firstSeq - 1).toLocaleString()} are before
        them.
      </p>
      <button type="button" aria-disabled={earlier === 'reading'} onClick={() => void model.readEarlier()}>
        {earlier === 'reading' ? 'Reading…' : 'Read earlier ones'}
      </button>
      {earlier instanceof Error ? <Trouble error={earlier} /> : null}
    </div>
  );
}
