/** Why an evaluation cannot continue. As in CEL, `||` and `&&` may still come to a value without it. */
export class EvaluationFault extends Error {}

/** A bound is exceeded: nothing absorbs this, the evaluation is over. */
export class BoundFault extends Error {}
