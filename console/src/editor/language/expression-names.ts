/** A name that an expression may begin with, and what it is. */
export const VARIABLES: Readonly<Record<string, string>> = {
  input: 'the input of the run',
  state: 'the shared state',
  outputs: 'outputs of units, by their ids',
  errors: 'errors of best-effort branches',
  run: 'runId, workflowId, createdAt',
  vars: 'what spec.vars gave',
  now: 'the instant',
  error: 'what failed, in a catch or finally',
  done: 'the call that is undone, in a compensate',
  iteration: 'the pass of a loop, from 0',
  item: 'the item of a foreach',
  index: 'the position of the item, from 0',
};

/** Functions that are written `name(x)`. The engine has the list of all functions; a test holds these to it. */
export const FUNCTIONS: Readonly<Record<string, string>> = {
  size: 'size(x): how many there are',
  has: 'has(x.field): whether it is there',
  string: 'string(x): as a text',
  int: 'int(x): as a whole number',
  uint: 'uint(x): as a whole number of 0 or more',
  double: 'double(x): as a number',
  bool: 'bool(x): as true or false',
  bytes: 'bytes(x): as bytes',
  type: 'type(x): its type',
  dyn: 'dyn(x): of any type',
  timestamp: 'timestamp(text): an instant',
  duration: 'duration(text): a length of time',
};

/** Those that are written `x.name(y)`. */
export const METHODS: Readonly<Record<string, string>> = {
  contains: 'text.contains(other)',
  startsWith: 'text.startsWith(other)',
  endsWith: 'text.endsWith(other)',
  matches: 'text.matches(pattern)',
  map: 'list.map(x, …)',
  filter: 'list.filter(x, …)',
  lowerAscii: 'text.lowerAscii()',
  upperAscii: 'text.upperAscii()',
  trim: 'text.trim()',
  split: 'text.split(separator)',
  replace: 'text.replace(old, new)',
  join: 'list.join(separator)',
  all: 'list.all(x, …)',
  exists: 'list.exists(x, …)',
  exists_one: 'list.exists_one(x, …)',
  getFullYear: 'instant.getFullYear()',
  getMonth: 'instant.getMonth(), from 0',
  getDate: 'instant.getDate(), from 1',
  getDayOfMonth: 'instant.getDayOfMonth(), from 0',
  getDayOfWeek: 'instant.getDayOfWeek(), Sunday is 0',
  getDayOfYear: 'instant.getDayOfYear(), from 0',
  getHours: 'instant.getHours()',
  getMinutes: 'instant.getMinutes()',
  getSeconds: 'instant.getSeconds()',
  getMilliseconds: 'instant.getMilliseconds()',
};

/** What is known to be in some of them. */
export const FIELDS: Readonly<Record<string, readonly string[]>> = {
  run: ['runId', 'workflowId', 'createdAt'],
  error: ['message', 'code', 'unitId'],
  done: ['input', 'output', 'index', 'itemKey', 'iteration', 'known'],
};
