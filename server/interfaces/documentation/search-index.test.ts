import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import type { Page } from './page.ts';
import { beginsWithOneTypo, createSearchIndex, type SearchIndex } from './search-index.ts';

let index: SearchIndex | undefined;
afterEach(() => index?.close());

interface Words {
  title?: string;
  headings?: readonly string[];
  text?: string;
}

/** Finds among pages that are named by their places in the list; what else they hold is of no account. */
function find(query: string, pages: Readonly<Record<string, Words>>, limit = 20): string[] {
  const names = Object.keys(pages);
  index = createSearchIndex(
    Object.values(pages).map(
      ({ title = 'Untitled', headings = [], text = '' }, place): Page => ({
        path: `/${place}`,
        markdownPath: `/${place}.md`,
        title,
        description: '',
        headings: headings.map((heading) => ({ text: heading, anchor: '' })),
        text,
        links: [],
        pictures: [],
        markdown: '',
      }),
    ),
  );
  return index.search(query, limit).map((place) => names[place] ?? '');
}

describe('what comes first', () => {
  const often = Array.from({ length: 500 }, () => 'backup').join(' ');

  test('a title before another heading, and that before the text, however often it says the word', () => {
    const pages = {
      text: { text: often },
      heading: { headings: ['Other things', 'A backup while it runs'] },
      title: { title: 'Everything about a backup of your data', text: 'long '.repeat(2000) },
    };
    expect(find('backup', pages)).toEqual(['title', 'heading', 'text']);
  });

  test('a part of a word in a title or heading before the whole word in a text', () => {
    const pages = { text: { text: often }, heading: { headings: ['Mybackups'] }, title: { title: 'Mybackups' } };
    expect(find('backup', pages)).toEqual(['title', 'heading', 'text']);
  });

  test('the page that has more of the words, and of a question those that few pages have', () => {
    const filler = Object.fromEntries(
      Array.from({ length: 10 }, (_, number) => [`filler ${number}`, { text: 'How do I do the things' }]),
    );
    expect(find('how do I do the restore', { ...filler, restore: { text: 'restore' } })[0]).toBe('restore');
    expect(find('restore backup', { one: { text: 'restore it' }, both: { text: 'restore a backup' } })[0]).toBe('both');
  });

  test('words that stand side by side before the same words apart', () => {
    const pages = { apart: { text: 'the run of a definition' }, together: { text: 'call run_definition then' } };
    expect(find('run_definition', pages)).toEqual(['together', 'apart']);
  });

  test('of equals the first in the list', () => {
    expect(find('same', { b: { title: 'Same' }, a: { title: 'Same' } })).toEqual(['b', 'a']);
  });
});

describe('what a word finds', () => {
  test.each([
    ['the word', 'workflow', 'a workflow'],
    ['in other letters', 'WORKFLOW', 'a Workflow'],
    ['without its accents', 'resume', 'a résumé'],
    ['with accents that the text lacks', 'résumé', 'a resume'],
    ['its other forms', 'retrying', 'it retries'],
    ['the beginning of a word', 'work', 'a workflow'],
    ['one letter', 'w', 'a workflow'],
    ['a part inside a word', 'flow', 'a workflow'],
    ['a part of a name with underscores', 'playbooks', 'call list_playbooks'],
    ['a part of a name in humps', 'hint', 'set readOnlyHint'],
    ['a missing letter', 'worflow', 'a workflow'],
    ['a letter too many', 'workfflow', 'a workflow'],
    ['a wrong letter', 'workflaw', 'a workflow'],
    ['two letters swapped', 'wrokflow', 'a workflow'],
    ['a wrong first letter', 'qorkflow', 'a workflow'],
    ['a typo in the beginning of a word', 'worfl', 'a workflow'],
  ])('given %s, then the page is found', (_what, query, text) => {
    expect(find(query, { page: { text }, other: { text: 'nothing' } })).toEqual(['page']);
  });

  test.each([
    ['two typos', 'wrokflwo', 'a workflow'],
    ['a typo in a word of three letters', 'rnu', 'a run'],
    ['nothing but marks', '!? ...', 'a workflow'],
    ['a word that is nowhere', 'zebra', 'a workflow'],
  ])('given %s, then nothing is', (_what, query, text) => {
    expect(find(query, { page: { text } })).toEqual([]);
  });

  test('a word that is somewhere is not taken for a typo', () => {
    expect(find('form', { form: { text: 'a form' }, from: { title: 'From' } })).toEqual(['form']);
  });

  test.each([
    '"',
    '*',
    'a AND',
    'NEAR(a, 2)',
    'body:a',
    '{body} : a',
    '^a',
    'a + b',
    "'; DROP TABLE words",
    '\0',
    '\u{1F600}',
  ])('given %j, then it is words and no language', (query) => {
    expect(() => find(query, { page: { text: 'a' } })).not.toThrow();
  });

  test('as many pages as were asked for', () => {
    const pages = Object.fromEntries(Array.from({ length: 5 }, (_, number) => [`p${number}`, { text: 'same' }]));
    expect(find('same', pages, 3)).toEqual(['p0', 'p1', 'p2']);
  });
});

describe('one typo', () => {
  /** Every text that one typo makes of the word, and the word itself, over the letters a and b. */
  function typosOf(word: string): Set<string> {
    const made = new Set([word]);
    for (let at = 0; at <= word.length; at += 1) {
      const [before, behind] = [word.slice(0, at), word.slice(at)];
      made.add(before + behind.slice(1));
      for (const letter of 'ab') made.add(before + letter + behind).add(before + letter + behind.slice(1));
      if (behind.length > 1) made.add(`${before}${behind[1]}${behind[0]}${behind.slice(2)}`);
    }
    return made;
  }

  test('is found wherever trying every one finds it', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 4, maxLength: 7 });
    const term = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 3, maxLength: 10 });
    fc.assert(
      fc.property(term, word, (longer, typed) => {
        const isMeant = [...typosOf(typed)].some((meant) => longer.startsWith(meant));
        expect(beginsWithOneTypo(longer, typed)).toBe(isMeant);
      }),
      { numRuns: 2000 },
    );
  });
});
