// Full-text search over the pages, on SQLite FTS5 in memory.
//
// 1. A word that stands in a title outdoes one in another heading, and that one outdoes the text, however often it stands
//    there. Among equals the one that FTS5's own measure (BM25) takes for the better fit comes first.
// 2. A word is looked for as it is, in its other forms (`retries`, `retrying`), as the beginning of words and as a part of
//    them; each counts less than the one before it. Only a word that is nowhere is taken for one with a typo.
// 3. A word that few pages have says more than one that nearly all have, so that a question may be written in full.
import Database from 'better-sqlite3';
import type { Page } from './page.ts';

export interface SearchIndex {
  /** Places of pages in the list that the index was made of, best first. */
  search(query: string, limit: number): number[];
  close(): void;
}

const PLACES = { title: 8, heading: 4, text: 1 } as const;
const WAYS = { whole: 1, form: 0.9, beginning: 0.8, part: 0.5, typo: 0.3 } as const;

/** Letters from which on a word is looked for as a part of others, and from which on it may hold a typo. */
const LEAST_PART = 3;
const LEAST_TYPO = 4;
/** Words of the index that a part or a typo may stand for. */
const MOST_MEANT = 100;

const TABLES = `
  CREATE VIRTUAL TABLE words USING fts5(body, page UNINDEXED, place UNINDEXED, tokenize = "unicode61 remove_diacritics 2");
  CREATE VIRTUAL TABLE stems USING fts5(body, page UNINDEXED, place UNINDEXED, tokenize = "porter unicode61 remove_diacritics 2");
  CREATE VIRTUAL TABLE vocabulary USING fts5vocab(words, 'row');
`;

type Table = 'words' | 'stems';
/** What is found, by page. */
type Scores = Map<number, number>;

interface Row {
  page: number;
  place: keyof typeof PLACES;
  fit: number;
}

export function createSearchIndex(pages: readonly Page[]): SearchIndex {
  const database = new Database(':memory:');
  database.exec(TABLES);
  fill(database, pages);
  const vocabulary = database.prepare<[], string>('SELECT term FROM vocabulary').pluck().all();
  const select = (table: Table) =>
    database.prepare<[string], Row>(
      `SELECT page, place, -bm25(${table}) AS fit FROM ${table} WHERE ${table} MATCH ? ORDER BY rank`,
    );
  const statements = { words: select('words'), stems: select('stems') };

  /** Adds what an expression finds, where that is more than was found before. */
  const find = (scores: Scores, table: Table, expression: string, way: number): void => {
    const rows = statements[table].all(expression);
    const best = rows[0]?.fit ?? 1;
    for (const { page, place, fit } of rows) {
      // Below 1, so that no fit makes up for a place.
      const score = way * (PLACES[place] + (0.99 * fit) / best);
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
    database.prepare(`INSERT INTO ${table} (body, page, place) VALUES (?, ?, ?)`),
  );
  const add = (page: number, place: keyof typeof PLACES, words: string): void => {
    for (const insert of inserts) insert.run(words, page, place);
  };
  database.transaction(() => {
    for (const [index, { path, title, headings, text }] of pages.entries()) {
      add(index, 'title', title);
      // A page's own name says what it is about, too.
      const name = path.slice(path.lastIndexOf('/') + 1);
      add(index, 'heading', [name, ...headings.map((heading) => heading.text)].join('\n'));
      add(index, 'text', text);
    }
  })();
}

/** A text of the query language of FTS5 (section 3.1 of its documentation); words hold no quotation mark. */
function quoted(words: string): string {
  return `"${words}"`;
}

/** Whether the term begins with the word once one of its letters is added, left out, replaced or swapped with the next. */
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

/** The words of a text as the index has them: letters and digits in small letters, without diacritics, each once. */
function wordsOf(text: string): string[] {
  const folded = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return [...new Set(folded.match(/[\p{L}\p{N}\p{Co}]+/gu))];
}
