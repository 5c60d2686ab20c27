import { signal } from '@preact/signals';
import { prefer, preferred } from '../identity/kept.js';

const SINGLE_KEYS = 'single-keys';

/** Whether keys without a modifier do something: voice control and some keyboards press them by accident. */
export const singleKeysAreOn = signal(preferred(SINGLE_KEYS) !== 'off');

export function switchSingleKeys(isOn: boolean): void {
  prefer(SINGLE_KEYS, isOn ? null : 'off');
  singleKeysAreOn.value = isOn;
}
