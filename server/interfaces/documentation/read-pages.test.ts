import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/index.ts';
import type { Page } from './page.ts';
import { readPages } from './read-pages.ts';
import { renderPage } from './render-page.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

function read(files: Readonly<Record<string, string>>): Record<string, Page> {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder.path, name)), { recursive: true });
    writeFileSync(path.join(folder.path, name), text);
  }
  const pages = readPages([
    { folder: path.join(folder.path, 'docs'), at: '/' },
    { folder: path.join(folder.path, 'more'), at: '/guides' },
  ]);
  return Object.fromEntries(pages.map((page) => [page.path, page]));
}

const FILES = {
  'docs/README.md': '# Start\n\nSee [one](deep/one.md#a-part) and [a guide](../more/two.md).\n',
  'docs/deep/one.md':
    '# One `thing`\n\nThe *first* paragraph,\non two lines.\n\n## A part\n\n[home](../README.md) [here](#a-part)\n\n## A part\n\n| a | b |\n|---|---|\n| [x](gone.md) | y |\n',
  'docs/code.md': '# Code\n\n```sh\n# no heading\n```\n\nText & <b>more</b>.\n\n[out](https://example.com/a?b=1&c=2)\n',
  'docs/picture.png': 'no page',
  'more/two.md': 'No title.\n',
};

test('a Markdown file is a page; a README stands for its folder', () => {
  const pages = read(FILES);
  expect(Object.keys(pages)).toEqual(['/', '/code', '/deep/one', '/guides/two']);
  expect(pages['/']?.markdownPath).toBe('/README.md');
  expect(pages['/deep/one']).toMatchObject({
    markdownPath: '/deep/one.md',
    title: 'One thing',
    description: 'The first paragraph, on two lines.',
    headings: [
      { text: 'A part', anchor: 'a-part' },
      { text: 'A part', anchor: 'a-part-1' },
    ],
  });
  expect(pages['/code']?.headings).toEqual([]);
  expect(pages['/code']?.text).toContain('# no heading');
  expect(pages['/guides/two']).toMatchObject({ title: 'two', description: 'No title.' });
});

test('a long first paragraph is cut behind a word', () => {
  const { '/long': long } = read({ ...FILES, 'docs/long.md': `# Long\n\n${'word '.repeat(100)}\n` });
  expect(long?.description).toMatch(/^(?:word )+…$/);
  expect(long?.description.length).toBeLessThanOrEqual(302);
});

test('links lead to pages, wherever these are served, and those that lead nowhere are recognized', () => {
  const pages = read(FILES);
  expect(pages['/']?.links).toEqual([
    { href: 'deep/one.md#a-part', page: '/deep/one', anchor: 'a-part' },
    { href: 'guides/two.md', page: '/guides/two', anchor: undefined },
  ]);
  expect(pages['/']?.markdown).toContain('[a guide](guides/two.md)');
  expect(pages['/deep/one']?.links).toEqual([
    { href: '../README.md', page: '/', anchor: undefined },
    { href: '#a-part', page: '/deep/one', anchor: 'a-part' },
    { href: 'gone.md', page: undefined, anchor: undefined },
  ]);
});

test('as HTML a page links to the HTML of others, and its headings have anchors', () => {
  const pages = read(FILES);
  const html = (at: string): string => renderPage(pages[at] as Page, Object.values(pages));
  expect(html('/')).toContain('<a href="deep/one#a-part">one</a>');
  expect(html('/')).toContain('<li><a href="guides/two">two</a></li>');
  expect(html('/deep/one')).toContain('<a href="../">home</a>');
  expect(html('/deep/one')).toContain('<h2 id="a-part-1">A part</h2>');
  expect(html('/deep/one')).not.toContain('All pages');
  expect(html('/code')).toContain('<a href="https://example.com/a?b=1&amp;c=2">out</a>');
});
