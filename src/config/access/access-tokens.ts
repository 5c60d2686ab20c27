/** The token of who is asking and what they may: an `Access`, or null where nobody is asked. */
export const ACCESS = Symbol('FLOWGATE_ACCESS');

/** The token of what makes and revokes API keys: an `ApiKeys`, or null where nobody is asked. */
export const API_KEYS = Symbol('FLOWGATE_API_KEYS');

/** Under which an instance's options may say what authenticates in the place of ours: for tests of the edge. */
export const CREATE_ACCESS = Symbol('FLOWGATE_CREATE_ACCESS');
