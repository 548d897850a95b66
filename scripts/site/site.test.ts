import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import MiniSearch from 'minisearch';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Page, readPages } from '../../server/interfaces/documentation/index.ts';
import { DOCUMENTATION_FOLDERS } from '../../server/runtime/resources.ts';
import { temporaryFolder } from '../../server/test/index.ts';
import { writeSite } from './index.ts';
import { INDEX_FILE, SCRIPT_FILE, SEARCH_OPTIONS } from './search-options.ts';

const folder = temporaryFolder();
let pages: Page[];
let files: string[];

beforeAll(async () => {
  pages = readPages(DOCUMENTATION_FOLDERS);
  await writeSite(folder.path, pages);
  files = globSync('**/*.html', { cwd: folder.path });
}, 60_000);
afterAll(() => folder.remove());

const read = (file: string): string => readFileSync(path.join(folder.path, file), 'utf8');

/** What a file links to and loads, as written. */
const targetsOf = (file: string): string[] =>
  [...read(file).matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, target = '']) => target.replaceAll('&amp;', '&'));

/** @returns what is wrong with a target, undefined if it is there */
function brokenTarget(file: string, target: string): string | undefined {
  if (target.startsWith('https://')) return undefined;
  const [place = '', anchor] = target.split('#');
  // From the root, it would work under one base path only.
  if (place.startsWith('/')) return `${file}: ${target} is no relative link`;
  const found = place === '' ? file : path.join(path.dirname(file), place);
  if (!existsSync(path.join(folder.path, found))) return `${file}: ${target} leads to no file`;
  if (anchor === undefined || read(found).includes(` id="${anchor}"`)) return undefined;
  return `${file}: ${target} names a heading that is not there`;
}

test('each page is a file, beside its Markdown', () => {
  expect(files).toHaveLength(pages.length);
  expect(files).toEqual(expect.arrayContaining(['index.html', 'reference/index.html', 'guides/workflow.html']));
  expect(read('workflows.md')).toBe(pages.find((page) => page.path === '/workflows')?.markdown);
});

test('every link, picture and script of every page is there under any base path, and so is every anchor', () => {
  const targets = files.flatMap((file) => targetsOf(file).map((target) => [file, target] as const));
  expect(targets.length).toBeGreaterThan(500);
  expect(targets.flatMap(([file, target]) => brokenTarget(file, target) ?? [])).toEqual([]);
  expect(brokenTarget('index.html', 'gone.html')).toContain('leads to no file');
  expect(brokenTarget('index.html', 'mcp.html#gone')).toContain('names a heading that is not there');
});

test.each([
  ['tutorial', 'tutorial.html'],
  ['back up restore', 'durability.html'],
  ['tool servers', 'tool-servers.html'],
  ['predicton', 'guides/prediction.html'],
])('a search for %s finds %s', (words, file) => {
  const index = MiniSearch.loadJSON(read(INDEX_FILE), SEARCH_OPTIONS);
  const found = index.search(words).slice(0, 5);
  expect(found.map(({ id }) => id)).toContain(file);
  expect(found[0]).toMatchObject({ title: expect.any(String), description: expect.any(String) });
});

test('the script of the search is one file that loads nothing but the index', () => {
  const script = read(SCRIPT_FILE);
  expect(script).toContain(INDEX_FILE);
  expect(script).not.toMatch(/\bimport\s*\(|\bfrom\s*["']/);
});
