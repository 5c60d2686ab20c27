/** What a store keeps of a caller's object: nobody changes it, whoever it is handed to. */
export function ownCopy<Value>(value: Value): Value {
  return frozen(structuredClone(value));
}

/** Freezes deeply; only for copies of our own. */
function frozen<Value>(value: Value): Value {
  if (value === null || typeof value !== 'object') return value;
  for (const field of Object.values(value)) frozen(field);
  return Object.freeze(value);
}
