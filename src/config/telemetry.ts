/** By what the engine of an instance gets who measures it: a `Telemetry`, or null where nobody asked for metrics. */
export const TELEMETRY = Symbol('FLOWGATE_TELEMETRY');
