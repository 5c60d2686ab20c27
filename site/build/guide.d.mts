/** What a guide is made of; guide.mjs says what each part means. */
export interface GuideSource {
  readonly pages: ReadonlyMap<string, string>;
  readonly pictureOf: (path: string) => Buffer | null;
  readonly isThere: (path: string) => boolean;
  readonly repository: string | null;
  readonly navigation: {
    readonly home: string;
    readonly groups: readonly { readonly title: string; readonly pages: readonly string[] }[];
    readonly rest: string;
    readonly notSearched: readonly string[];
  };
  readonly scripts: { readonly theme: string; readonly guide: string; readonly style: string };
  readonly version: string;
}

export function guideOf(source: GuideSource): {
  readonly files: readonly { readonly name: string; readonly bytes: Buffer }[];
  readonly faults: readonly string[];
};
