/**
 * What one expression, or one template with all its expressions, may be and may do. Whoever writes a workflow
 * is not trusted with the process: whatever the text, an evaluation ends within about a second and 100 MB.
 */

/** Characters of an expression's text. */
export const MAX_SOURCE_LENGTH = 16_384;

/** Brackets open at one place. The parser recurses some thirty calls deep for each. */
export const MAX_BRACKET_DEPTH = 64;

/** Levels of the syntax tree; a chain of `+`, of `.` or of `? :` is as deep as it is long. */
export const MAX_SYNTAX_DEPTH = 200;

/** Passes of all comprehensions (`map`, `filter`, `all`, `exists`, `exists_one`) of an evaluation together. */
export const MAX_STEPS = 100_000;

/** What an evaluation may build: characters of text, and entries of lists and maps at `ENTRY_SIZE` each. */
export const MAX_BUILT = 10_000_000;

/** An entry of a list or a map takes about as much memory as this many characters. */
export const ENTRY_SIZE = 10;

/** The work of an evaluation, in characters read; what takes longer than that counts as several. */
export const MAX_WORK = 50_000_000;

/** Work that any evaluation is, however small. */
export const EVALUATION_WORK = 1_000;

/** Work for each node of a loop's body in each pass, whether it is reached or not; a failing one is slow. */
export const NODE_WORK = 20;

/** Work for an entry of a list or map that is looked at. */
export const ENTRY_WORK = 5;

/** Work for reading a timestamp or a duration out of a text. */
export const TIME_WORK = 250;

/** Work for each instruction of a regular expression that is compiled, and at each character of the text. */
export const PATTERN_COMPILE_WORK = 400;
export const PATTERN_MATCH_WORK = 4;

/** Values in a result, counted at every depth; as many as a unit's answer may have. */
export const MAX_RESULT_VALUES = 1_000_000;

/** Characters of text and keys in a result; as many as a unit's answer may have. */
export const MAX_RESULT_CHARACTERS = 10_485_760;

/** Lists and maps inside one another, in templates, results and comparisons. */
export const MAX_VALUE_DEPTH = 512;

/** Characters of a regular expression. */
export const MAX_PATTERN_LENGTH = 1_000;

/** Instructions of a regular expression once its repetitions are written out; `a{900}` has 900. */
export const MAX_PATTERN_SIZE = 2_000;

/** Characters of a text that is converted to a number, a truth value, a timestamp or a duration. */
export const MAX_CONVERTED_LENGTH = 100;
