/** Levels of maps and lists; 64 levels of flows need 192 and the fields around them. */
export const MAX_YAML_DEPTH = 1_000;

export const TOO_DEEP = `maps and lists are nested deeper than ${MAX_YAML_DEPTH} levels: flatten them`;
