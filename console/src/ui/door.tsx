import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { loadPart } from '../api/parts.js';

/** A component that is loaded when it is first shown: not everybody who opens the console needs it. */
export function doorTo<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const loaded = signal<ComponentType<Props> | null>(null);
  return function Door(props: Props) {
    const Component = loaded.value;
    if (Component !== null) return <Component {...props} />;
    void loadPart(load).then((component) => {
      loaded.value = component;
    });
    return <p class="muted">Loading…</p>;
  };
}
