import MiniSearch from 'minisearch';

/** What the build writes: see site/build/search-index.mjs. */
export interface IndexFile {
  readonly pages: readonly (readonly [address: string, title: string])[];
  readonly sections: readonly (readonly [
    page: number,
    anchor: string | null,
    heading: string | null,
    text: string,
  ])[];
}

export interface Found {
  readonly address: string;
  readonly page: string;
  /** Null: what stands above the first heading of the page. */
  readonly heading: string | null;
  readonly text: string;
  /** The words of the page that were found, in lower case. */
  readonly words: readonly string[];
}

interface Section {
  readonly id: number;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

const MOST_FOUND = 20;
/** Shorter words have too many neighbours. */
const FUZZY_FROM = 5;

/** What no word has; `_` joins the parts of a name, such as that of a setting. */
const BETWEEN_WORDS = /(?:[\n\r\p{Z}]|(?!_)\p{P})+/u;
const wordsOf = (text: string): string[] => text.split(BETWEEN_WORDS);
/** A name is found whole, and by each of its parts. */
const wordsAndParts = (text: string): string[] =>
  wordsOf(text).flatMap((word) => (word.includes('_') ? [word, ...word.split('_')] : [word]));

/** Finds sections of the guide by all words of a query, of which the last may be unfinished. */
export class GuideIndex {
  private constructor(
    private readonly file: IndexFile,
    private readonly index: MiniSearch<Section>,
  ) {}

  /** Takes some time for large guides, in pieces, so that a page stays usable meanwhile. */
  static async of(file: IndexFile): Promise<GuideIndex> {
    const index = new MiniSearch<Section>({
      fields: ['heading', 'page', 'text'],
      tokenize: wordsAndParts,
    });
    await index.addAllAsync(
      file.sections.map(([page, , heading, text], id) => {
        const title = file.pages[page]?.[1] ?? '';
        // What a page begins with is its answer to its title.
        return { id, page: title, heading: heading ?? title, text };
      }),
    );
    return new GuideIndex(file, index);
  }

  find(query: string): readonly Found[] {
    const options = {
      tokenize: wordsOf,
      combineWith: 'AND',
      prefix: true,
      fuzzy: (word: string) => (word.length < FUZZY_FROM ? false : 0.2),
      boost: { heading: 4, page: 2 },
    } as const;
    return this.index
      .search(query, options)
      .slice(0, MOST_FOUND)
      .flatMap(({ id, terms }) => this.found(id as number, terms));
  }

  private found(id: number, words: readonly string[]): readonly Found[] {
    const section = this.file.sections[id];
    if (section === undefined) return [];
    const [page, anchor, heading, text] = section;
    const [address = './', title = ''] = this.file.pages[page] ?? [];
    return [
      { address: anchor === null ? address : `${address}#${anchor}`, page: title, heading, text, words },
    ];
  }
}
