// Links between the pages that the documentation service serves, and from the other texts of the repository.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type Page, readPages } from '../server/interfaces/documentation/index.ts';
import { DOCUMENTATION_FOLDERS } from '../server/runtime/resources.ts';
import { temporaryFolder } from '../server/test/index.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const IS_WEB = /^https:\/\//;

/** What is wrong with links, one sentence each. A page leads to pages and to the web, so that it can be served anywhere. */
function brokenLinks(pages: readonly Page[]): string[] {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  return pages.flatMap(({ path: from, links, pictures }) => [
    ...pictures.flatMap(({ href, path: place }) => (place === undefined ? [`${from}: ${href} is no picture`] : [])),
    ...links.flatMap(({ href, page, anchor }) => {
      if (IS_WEB.test(href)) return [];
      const target = page === undefined ? undefined : byPath.get(page);
      if (target === undefined) return [`${from}: ${href} leads to no page`];
      const isThere = anchor === undefined || target.headings.some((heading) => heading.anchor === anchor);
      return isThere ? [] : [`${from}: ${href} names a heading that ${target.path} does not have`];
    }),
  ]);
}

test('every link of the documentation leads to a page and a heading that are there', () => {
  const pages = readPages(DOCUMENTATION_FOLDERS);
  expect(pages.flatMap(({ links }) => links).length).toBeGreaterThan(50);
  expect(brokenLinks(pages)).toEqual([]);
});

test('every page has a title and says at once what it is about', () => {
  const lacking = readPages(DOCUMENTATION_FOLDERS).filter(
    ({ title, description }) => title === '' || description === '',
  );
  expect(lacking.map((page) => page.path)).toEqual([]);
});

test('a link that leads nowhere is found', () => {
  const folder = temporaryFolder();
  try {
    mkdirSync(path.join(folder.path, 'docs'));
    const links =
      '[a](gone.md) [b](other.md#gone) [c](other.md#here) [d](../README.md) [e](http://a) [f](https://a) [g](#gone) ![h](gone.webp)';
    writeFileSync(path.join(folder.path, 'docs/page.md'), `# Page\n\n- ${links}\n`);
    writeFileSync(path.join(folder.path, 'docs/other.md'), '# Other\n\n## Here\n');
    expect(brokenLinks(readPages([{ folder: path.join(folder.path, 'docs'), at: '/' }]))).toEqual([
      '/page: gone.webp is no picture',
      '/page: gone.md leads to no page',
      '/page: other.md#gone names a heading that /other does not have',
      '/page: ../README.md leads to no page',
      '/page: http://a leads to no page',
      '/page: #gone names a heading that /page does not have',
    ]);
  } finally {
    folder.remove();
  }
});

test.each(['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'bench/README.md'])(
  'every link of %s leads to a file',
  (file) => {
    const text = readFileSync(path.join(ROOT, file), 'utf8');
    const hrefs = [...text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map(([, href]) => href ?? '');
    const missing = hrefs.filter(
      (href) => !IS_WEB.test(href) && !existsSync(path.join(ROOT, path.dirname(file), href)),
    );
    expect(missing).toEqual([]);
  },
);
