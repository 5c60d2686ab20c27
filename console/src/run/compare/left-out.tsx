import { useSignal, type Signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { client } from '../../api/service.js';
import { PlainText } from '../../ui/text/plain-text.js';
import { Trouble } from '../../ui/trouble.js';
import { readWhole } from '../inspector/read-whole.js';
import { isSame } from '../log/same-value.js';
import type { ComparedCall } from './compare-runs.js';
import { bytesLeftOut } from './value-pairs.js';

/** What is read at one press: the service has others to serve as well. */
const MOST_PAIRS = 100;
const MOST_NAMED = 5;

interface Props {
  /** Calls of which nothing differs but, perhaps, what the logs left out. */
  readonly calls: readonly ComparedCall[];
  /** Is given what was found, by the key of the pair. */
  readonly whole: Signal<ReadonlyMap<string, boolean>>;
}

/** Says which calls may differ in what is too large for a log, and compares that once somebody wants it. */
export function LeftOut({ calls, whole }: Props) {
  const isBusy = useSignal(false);
  const trouble = useSignal<Error | null>(null);
  const left = useMemo(() => new AbortController(), []);
  useEffect(() => () => left.abort(), [left]);
  const next = calls.flatMap(({ mayDiffer }) => mayDiffer).slice(0, MOST_PAIRS);
  const compare = async (): Promise<void> => {
    if (isBusy.peek()) return;
    isBusy.value = true;
    trouble.value = null;
    const found = new Map(whole.peek());
    try {
      for (const pair of next) {
        const [one, other] = await Promise.all([
          readWhole(client.value, pair.left, left.signal),
          readWhole(client.value, pair.right, left.signal),
        ]);
        found.set(pair.key, isSame(one.value, other.value));
      }
    } catch (error) {
      if (!left.signal.aborted) trouble.value = error as Error;
    } finally {
      whole.value = found;
      isBusy.value = false;
    }
  };
  if (calls.length === 0) return null;
  const bytes = next.reduce((sum, pair) => sum + bytesLeftOut(pair), 0);
  const units = [...new Set(calls.map(({ unitId }) => unitId))];
  return (
    <div class="notice">
      <p>
        The logs leave out values above 4 KiB. In them may differ:{' '}
        <PlainText text={units.slice(0, MOST_NAMED).join(', ')} />
        {units.length > MOST_NAMED ? ` and ${units.length - MOST_NAMED} more units` : ''}.
      </p>
      <button type="button" aria-disabled={isBusy.value} onClick={() => void compare()}>
        Compare {Math.ceil(bytes / 1024).toLocaleString()} KiB of them
      </button>
      <Trouble error={trouble.value} />
    </div>
  );
}
