/** Why a text is no expression. The message has no full stop and says what to do. */
export class CompileFault extends Error {
  constructor(
    message: string,
    /** Where in the text, in UTF-16 code units. */
    readonly offset: number,
    /** The parser did not understand the text. */
    readonly isSyntax = false,
  ) {
    super(message);
  }
}

/** The expressions exceed their allowance: nothing after this one is looked at. */
export class AllowanceFault extends CompileFault {}
