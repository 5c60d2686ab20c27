/**
 * The bounds of one expression, or of one template with all its expressions. The author of a workflow is not trusted with
 * the process: whatever the text, an evaluation ends within about 50 ms and 100 MB.
 */

/** Characters of an expression's text. */
export const MAX_SOURCE_LENGTH = 16_384;

/**
 * Characters of all expressions of one template. They are made ready together, when a unit is first called, at some
 * 3 µs for each.
 */
export const MAX_TEMPLATE_LENGTH = 32_768;

/** Brackets that are open at one position. The parser recurses some thirty calls deep for each. */
export const MAX_BRACKET_DEPTH = 64;

/** Levels of the syntax tree; a chain of `+`, of `.` or of `? :` is as deep as it is long. */
export const MAX_SYNTAX_DEPTH = 200;

/** Passes of all comprehensions (`map`, `filter`, `all`, `exists`, `exists_one`) of an evaluation together. */
export const MAX_STEPS = 100_000;

/** What an evaluation may build: characters of text, and entries of lists and maps at `ENTRY_SIZE` each. */
export const MAX_BUILT = 10_000_000;

/** An entry of a list or a map takes about as much memory as this many characters. */
export const ENTRY_SIZE = 10;

/**
 * The work of an evaluation in weighted steps. One is about a nanosecond of the machine that they were weighed on (decision
 * 0039), so this blocks the event loop for about 50 ms. It is not measured by a clock, which differs on each machine.
 */
export const MAX_WORK = 50_000_000;

/** The least work of any evaluation. */
export const EVALUATION_WORK = 1_000;

/** Work of one pass of a comprehension, in addition to that of the nodes of its body. */
export const STEP_WORK = 100;

/** Work of a node of the syntax tree, by what it is. In a loop's body it counts in each pass, reached or not. */
export const NODE_WORK = {
  constant: 15,
  variable: 15,
  /** A look-up passes each enclosing comprehension twice. */
  variableOfLoop: 16,
  /** The library also tries the whole of `a.b.c` as a name, each time. */
  selection: 140,
  selectionOfCharacter: 2,
  logic: 20,
  operator: 40,
  call: 150,
  comprehension: 500,
} as const;

/** Work of each failure, which `||` or a loop may drop: in CEL it is a value, with an `Error` of its own. */
export const FAILURE_WORK = 900;

/** Work for each character that is built, and for each that is read other than by comparing. */
export const CHARACTER_WORK = 2;

/** Work for an entry of a list or map that is looked at, and for one that is built. */
export const ENTRY_WORK = 40;
export const BUILT_ENTRY_WORK = 30;

/** Work for a key of a map that is listed, and for comparing a list or map in addition to its entries. */
export const KEY_WORK = 200;
export const COMPARISON_WORK = 300;

/**
 * Work for each character of a text that is searched: by the built-in search, with half a match at each position, and by
 * ours.
 */
export const SEARCHED_CHARACTER_WORK = 5;
export const STEPPED_CHARACTER_WORK = 7;

/** Work for reading a timestamp or a duration out of a text, or writing it. */
export const TIME_WORK = 3_000;

/** Work for each instruction of a regular expression that is compiled, and at each character of the text. */
export const PATTERN_COMPILE_WORK = 2_000;
export const PATTERN_MATCH_WORK = {
  /** An ordinary pattern and text. */
  usual: 8,
  longText: 20,
  /** A large pattern may reach new states at each character. */
  largePattern: 100,
} as const;
export const LARGE_PATTERN_SIZE = 40;
export const LONG_MATCHED_TEXT = 200;

/** Work for each value of a result, and for each key. */
export const RESULT_VALUE_WORK = 40;
export const RESULT_KEY_WORK = 60;

/**
 * Maps with more keys than this have another internal form, in which each key is slow to reach; the work for one of them.
 */
export const LARGE_MAP_KEYS = 10_000;
export const LARGE_MAP_KEY_WORK = 1_000;

/** Values in a result, counted at every depth; as many as a unit's outcome may have. */
export const MAX_RESULT_VALUES = 1_000_000;

/** Characters of text and keys in a result; as many as a unit's outcome may have. */
export const MAX_RESULT_CHARACTERS = 10_485_760;

/** Lists and maps inside one another, in templates, results and comparisons. */
export const MAX_VALUE_DEPTH = 512;

/** Characters of a regular expression. */
export const MAX_PATTERN_LENGTH = 1_000;

/** Instructions of a regular expression once its repetitions are written out; `a{900}` has 900. */
export const MAX_PATTERN_SIZE = 2_000;

/** Characters of a text that is converted to a number, a truth value, a timestamp or a duration. */
export const MAX_CONVERTED_LENGTH = 100;
