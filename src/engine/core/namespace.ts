/** Where everything is that nobody put into a namespace of its own. */
export const DEFAULT_NAMESPACE = 'default';
