import { useSignal, useSignalEffect, type Signal } from '@preact/signals';
import { keep, kept } from './kept.js';

/** What somebody types: kept in the tab until it is sent, over a sign-in and a reload. */
export function useDraft(name: string): Signal<string> {
  const text = useSignal(kept(name) ?? '');
  useSignalEffect(() => keep(name, text.value === '' ? null : text.value));
  return text;
}
