import { useSignal } from '@preact/signals';
import type { JsonValue } from 'flowgate-client/remote';
import { client } from '../../api/service.js';
import { Trouble } from '../../ui/trouble.js';
import { JsonView } from '../../ui/values/json-view.js';
import { cutOf, type ValuePlace } from './facts-of-call.js';
import { readWhole } from './read-whole.js';

/** What is larger is saved, and not shown. */
const MOST_SHOWN_BYTES = 1024 * 1024;

interface Props {
  readonly name: string;
  readonly place: ValuePlace;
}

/** A value of an event: what was left out for its size is read when somebody wants it, and saved where it is too large to show. */
export function WholeValue({ name, place }: Props) {
  const whole = useSignal<{ readonly value: JsonValue | undefined } | null>(null);
  const trouble = useSignal<Error | null>(null);
  const cut = cutOf(place);
  const value = place.event.data[place.field];
  const bytes = cut.reduce((sum, one) => sum + one.bytes, 0);
  if (cut.length === 0 || whole.value !== null)
    return <JsonView value={whole.value === null ? value : whole.value.value} />;
  const read = async (): Promise<void> => {
    trouble.value = null;
    try {
      const { value: all, seq } = await readWhole(client.value, place);
      if (bytes > MOST_SHOWN_BYTES) save(`${name}-${seq}.json`, JSON.stringify(all, null, 2));
      else whole.value = { value: all };
    } catch (error) {
      trouble.value = error as Error;
    }
  };
  return (
    <div class="stack tight">
      <JsonView value={value ?? `${cut[0]?.head ?? ''}…`} />
      <button type="button" onClick={() => void read()}>
        {bytes > MOST_SHOWN_BYTES ? 'Save' : 'Show'} all {Math.ceil(bytes / 1024).toLocaleString()} KiB
      </button>
      <Trouble error={trouble.value} />
    </div>
  );
}

export function save(name: string, text: string): void {
  const link = document.createElement('a');
  const address = URL.createObjectURL(new Blob([text], { type: 'application/octet-stream' }));
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
