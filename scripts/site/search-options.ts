// How the pages are searched. The build fills the index, and the browser reads it: both need the same options.
import type { Options } from 'minisearch';

/** A page in the index. */
export interface SearchedPage {
  /** The address relative to the root of the site, for example `reference/index.html`. */
  id: string;
  title: string;
  headings: string;
  text: string;
  description: string;
}

/** What the browser gets of a page: everything but its text. */
export type FoundPage = Pick<SearchedPage, 'id' | 'title' | 'description'>;

/** A match in the title counts more than one in a heading, and that more than one in the text, as in `cuebook docs`. */
export const SEARCH_OPTIONS: Options<SearchedPage> = {
  fields: ['title', 'headings', 'text'],
  storeFields: ['title', 'description'],
  searchOptions: { boost: { title: 8, headings: 4 }, prefix: true, fuzzy: (term) => (term.length < 4 ? false : 0.2) },
};

/** Files of the site, from its root. */
export const INDEX_FILE = 'search-index.json';
export const SCRIPT_FILE = 'search.js';
