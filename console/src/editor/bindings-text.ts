import { signal } from '@preact/signals';
import type { UsesBindings } from 'flowgate-client/remote';
import { readInput } from '../workflows/start/json-fault.js';

/** The bindings of a document while they are written, as JSON. */
export class BindingsText {
  readonly text = signal('');
  /** Null: they can be registered. */
  readonly fault = signal<string | null>(null);
  /** What was registered from here, as JSON; undefined: nothing was, and what the version has that was opened the service does not say. */
  #registered: string | undefined;

  write(text: string): void {
    this.text.value = text;
    const read = readInput(text);
    this.fault.value = read.ok ? null : read.fault;
  }

  /** Undefined: there are none, or they have a fault. */
  get value(): UsesBindings | undefined {
    const text = this.text.peek();
    if (text.trim() === '') return undefined;
    const read = readInput(text);
    return read.ok ? (read.value as unknown as UsesBindings) : undefined;
  }

  /** Whether they are those of the version that was opened, or registered since. */
  get isRegistered(): boolean {
    return this.fault.peek() === null && JSON.stringify(this.value) === this.#registered;
  }

  registered(value: UsesBindings | undefined): void {
    this.#registered = JSON.stringify(value);
  }
}
