/** The machine's two clocks. */
export interface Readings {
  /** Epoch ms; anybody may set it. */
  wallMs(): number;
  /** Ms from some origin; never set, but it may stop while the machine sleeps. */
  steadyMs(): number;
}

export const MACHINE: Readings = { wallMs: () => Date.now(), steadyMs: () => performance.now() };
