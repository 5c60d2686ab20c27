/** The page with every list of fields as the OpenAPI document has it. */
export function withShapes(page: string, document: object): string;
