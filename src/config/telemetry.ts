/** The token of the telemetry of an instance's engine: a `Telemetry`, or null without metrics. */
export const TELEMETRY = Symbol('FLOWGATE_TELEMETRY');
