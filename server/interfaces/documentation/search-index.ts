// Full-text search over the pages, on SQLite FTS5 in memory.
//
// 1. A match in the title outranks a match in another heading, which outranks any number of matches in the text. Equal
//    matches are ordered by the BM25 rank of FTS5.
// 2. A word matches exactly, in other forms (`retries`, `retrying`), as a prefix of words and as a part of them; each kind
//    of match counts less than the one before. Only a word that matches nothing is treated as a typo.
// 3. A rare word counts more than one that most pages have, so a query may be a full question.
import Database from 'better-sqlite3';
import type { Page } from './page.ts';

export interface SearchIndex {
  /** Indexes of the matching pages in the list that the search index was built from, best first. */
  search(query: string, limit: number): number[];
  close(): void;
}

const PARTS = { title: 8, heading: 4, text: 1 } as const;
const WAYS = { whole: 1, form: 0.9, beginning: 0.8, part: 0.5, typo: 0.3 } as const;

/** Minimum length of a word to match as a part of other words, and to be treated as a typo. */
const LEAST_PART = 3;
const LEAST_TYPO = 4;
/** The most words of the index that a partial word or a typo may match. */
const MOST_MEANT = 100;

const TABLES = `
  CREATE VIRTUAL TABLE words USING fts5(body, page UNINDEXED, part UNINDEXED, tokenize = "unicode61 remove_diacritics 2");
  CREATE VIRTUAL TABLE stems USING fts5(body, page UNINDEXED, part UNINDEXED, tokenize = "porter unicode61 remove_diacritics 2");
  CREATE VIRTUAL TABLE vocabulary USING fts5vocab(words, 'row');
`;

type Table = 'words' | 'stems';
/** Scores by page. */
type Scores = Map<number, number>;

interface Row {
  page: number;
  part: keyof typeof PARTS;
  fit: number;
}

export function createSearchIndex(pages: readonly Page[]): SearchIndex {
  const database = new Database(':memory:');
  database.exec(TABLES);
  fill(database, pages);
  const vocabulary = database.prepare<[], string>('SELECT term FROM vocabulary').pluck().all();
  const select = (table: Table) =>
    database.prepare<[string], Row>(
      `SELECT page, part, -bm25(${table}) AS fit FROM ${table} WHERE ${table} MATCH ? ORDER BY rank`,
    );
  const statements = { words: select('words'), stems: select('stems') };

  /** Adds the scores of an expression where they exceed the previous ones. */
  const find = (scores: Scores, table: Table, expression: string, way: number): void => {
    const rows = statements[table].all(expression);
    const best = rows[0]?.fit ?? 1;
    for (const { page, part, fit } of rows) {
      // Below 1, so that rank never outweighs where the match is.
      const score = way * (PARTS[part] + (0.99 * fit) / best);
      scores.set(page, Math.max(scores.get(page) ?? 0, score));
    }
  };
  const findWord = (word: string): Scores => {
    const scores: Scores = new Map();
    find(scores, 'words', quoted(word), WAYS.whole);
    find(scores, 'stems', quoted(word), WAYS.form);
    find(scores, 'words', `${quoted(word)} *`, WAYS.beginning);
    if (word.length >= LEAST_PART) {
      findAny(scores, (term) => term.includes(word, 1), WAYS.part);
    }
    if (scores.size === 0 && word.length >= LEAST_TYPO) {
      findAny(scores, (term) => beginsWithOneTypo(term, word), WAYS.typo);
    }
    return scores;
  };
  const findAny = (scores: Scores, isMeant: (term: string) => boolean, way: number): void => {
    const meant = vocabulary.filter(isMeant).toSorted((a, b) => a.length - b.length);
    if (meant.length > 0) find(scores, 'words', meant.slice(0, MOST_MEANT).map(quoted).join(' OR '), way);
  };
  const findPhrase = (words: readonly string[]): Scores => {
    const scores: Scores = new Map();
    if (words.length > 1) find(scores, 'words', quoted(words.join(' ')), WAYS.whole);
    return scores;
  };

  return {
    search(query, limit) {
      const words = wordsOf(query);
      const sums: Scores = new Map();
      for (const scores of [...words.map(findWord), findPhrase(words)]) {
        const rarity = Math.log((pages.length + 1) / Math.max(1, scores.size));
        for (const [page, score] of scores) sums.set(page, (sums.get(page) ?? 0) + score * rarity);
      }
      return [...sums]
        .toSorted(([a, more], [b, less]) => less - more || a - b)
        .slice(0, limit)
        .map(([page]) => page);
    },
    close: () => void database.close(),
  };
}

function fill(database: Database.Database, pages: readonly Page[]): void {
  const inserts = (['words', 'stems'] as const).map((table) =>
    database.prepare(`INSERT INTO ${table} (body, page, part) VALUES (?, ?, ?)`),
  );
  const add = (page: number, part: keyof typeof PARTS, words: string): void => {
    for (const insert of inserts) insert.run(words, page, part);
  };
  database.transaction(() => {
    for (const [index, { path, title, headings, text }] of pages.entries()) {
      add(index, 'title', title);
      // The file name of a page also says what it is about.
      const name = path.slice(path.lastIndexOf('/') + 1);
      add(index, 'heading', [name, ...headings.map((heading) => heading.text)].join('\n'));
      add(index, 'text', text);
    }
  })();
}

/** A string in the FTS5 query language (section 3.1 of its documentation); words have no quotation marks. */
function quoted(words: string): string {
  return `"${words}"`;
}

/** Whether the term begins with the word after adding, removing, replacing or swapping one letter. */
export function beginsWithOneTypo(term: string, word: string): boolean {
  let same = 0;
  while (same < word.length && word[same] === term[same]) same += 1;
  const rest = word.slice(same);
  return (
    term.startsWith(rest, same + 1) ||
    term.startsWith(rest.slice(1), same) ||
    term.startsWith(rest.slice(1), same + 1) ||
    (rest.length > 1 && term.startsWith(`${rest[1]}${rest[0]}${rest.slice(2)}`, same))
  );
}

/** The distinct words of a text as the index stores them: letters and digits in lower case, without diacritics. */
function wordsOf(text: string): string[] {
  const folded = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return [...new Set(folded.match(/[\p{L}\p{N}\p{Co}]+/gu))];
}
