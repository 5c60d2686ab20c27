/** Why an evaluation cannot go on. As in CEL, `||` and `&&` may still come to a value without it. */
export class EvaluationFault extends Error {}

/** A bound is broken: nothing absorbs this, the evaluation is over. */
export class BoundFault extends Error {}
