/**
 * The engine of the instance that a provider of ours belongs to. It is not the class `Engine`, because
 * `app.get(Engine)` of a host looks into every module and must never find the engine of a named instance.
 */
export const ENGINE = Symbol('FLOWGATE_ENGINE');

/** The token of the telemetry of an instance's engine: a `Telemetry`, or null without metrics. */
export const TELEMETRY = Symbol('FLOWGATE_TELEMETRY');
