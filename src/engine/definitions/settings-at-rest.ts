import type { JsonObject } from '../core/json.js';
import { withSettings } from '../core/state/codec/stored-settings.js';
import type { Execution } from '../core/waits/execution.js';
import type { UnitScheduled } from '../core/waits/events/execution-events.js';
import type { AppendRequest, StoredEvent } from '../ports/store/append.js';
import type { Sealer } from './sealer.js';

/** Replaces settings that are encrypted; no built-in has a setting of that name alone. */
type SealedSettings = { readonly sealed: string };

/**
 * Settings of a call that hold an expression stand in the log as evaluated, and with them the headers that stand there
 * literally: they are encrypted on their way into the store and decrypted when the unit is called. In between, in the state
 * of a run that was loaded, they stay encrypted: the core never looks into them.
 */
export class SettingsAtRest {
  constructor(private readonly sealer: Sealer) {}

  /** The request as it is to be stored; unchanged without a key. */
  sealed(request: AppendRequest): AppendRequest {
    if (!this.sealer.isOn) return request;
    const { storedState } = request;
    return {
      ...request,
      events: request.events.map((event) => this.sealedEvent(event)),
      storedState:
        storedState === null
          ? null
          : { ...storedState, state: withSettings(storedState.state, (settings) => this.seal(settings)) },
    };
  }

  /** The execution with readable settings. Throws a `SealedError` without the right key. */
  opened(execution: Execution): Execution {
    const { settings } = execution;
    if (settings === null || !isSealed(settings)) return execution;
    return { ...execution, settings: JSON.parse(this.sealer.open(settings.sealed)) as JsonObject };
  }

  private sealedEvent(event: StoredEvent): StoredEvent {
    if (event.type !== 'unit-scheduled') return event;
    const { settings } = event as UnitScheduled;
    return settings === null ? event : ({ ...event, settings: this.seal(settings) } as UnitScheduled);
  }

  private seal(settings: JsonObject): JsonObject {
    if (isSealed(settings)) return settings;
    return { sealed: this.sealer.seal(JSON.stringify(settings)) } satisfies SealedSettings;
  }
}

function isSealed(settings: JsonObject): settings is SealedSettings {
  return typeof settings['sealed'] === 'string' && Object.keys(settings).length === 1;
}
