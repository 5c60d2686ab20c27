/** What came of taking a source for the path of a file. */
export type FileReading =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'too-large'; readonly bytes: number }
  | { readonly kind: 'not-utf-8' }
  /** It is none; `because` is the system's code. */
  | { readonly kind: 'none'; readonly because: string | null };
