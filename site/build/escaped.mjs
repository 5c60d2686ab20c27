const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text as it stands in HTML, also in an attribute. */
export function escaped(text) {
  return text.replaceAll(/[&<>"]/g, (one) => ENTITIES[one]);
}
