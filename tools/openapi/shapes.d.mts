/** The page with every table of fields as the OpenAPI document has it. */
export function withShapes(page: string, document: object): string;
