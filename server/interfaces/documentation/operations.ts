import Type, { type Static } from 'typebox';
import { count, integer, object, optional, text } from '../../../shared/schemas/fields.ts';
import { nearestName } from '../../../shared/nearest-name.ts';
import { notFound } from '../../lib/rejection.ts';
import { defineOperation, type Operation } from '../../operations/index.ts';
import type { Page } from './page.ts';
import type { SearchIndex } from './search-index.ts';

const tag = 'Documentation';
const hints = { readOnly: true, destructive: false, idempotent: true };
const common = { tag, permissions: [], method: 'GET', path: Type.Object({}), hints, mcp: false } as const;

const PageSchema = object({
  title: text('The first heading.'),
  url: text('The address of the page as HTML.', { format: 'uri' }),
  path: text('The path to pass to read_auto_doc.'),
  markdownUrl: text('The address of the page as Markdown.', { format: 'uri' }),
  description: text('The first paragraph as plain text.'),
  markdown: optional(text('The page as Markdown; only returned by read_auto_doc.')),
});

/** The route of the search. */
export const SEARCH_ROUTE = '/api/docs';

export interface Published {
  pages: readonly Page[];
  index: SearchIndex;
  /** The base address of the pages, without a trailing slash. */
  base: () => string;
}

export function documentationOperations({ pages, index, base }: Published): Operation[] {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const shown = ({ title, path, markdownPath, description }: Page): Static<typeof PageSchema> => ({
    title,
    url: base() + path,
    path,
    markdownUrl: base() + markdownPath,
    description,
  });
  return [
    defineOperation({
      ...common,
      name: 'search_auto_docs',
      title: 'Search the documentation',
      description:
        'Use to find pages about a topic. The query is a few words or a whole question. Returns the best matches first, without their Markdown. Words in titles and headings count most; parts of words match, and so do words with one typo. Returns an empty list if nothing matches.',
      route: SEARCH_ROUTE,
      fields: object({
        query: text('The words or question to search for.', {
          minLength: 1,
          maxLength: 200,
          examples: ['retry a call'],
        }),
        limit: optional(
          integer('The maximum number of pages to return. Default: 8.', { minimum: 1, maximum: 20, default: 8 }),
        ),
      }),
      output: Type.Array(PageSchema),
      problems: [],
      handle: (_call, { query, limit = 8 }) =>
        Promise.resolve(
          index
            .search(query, limit)
            .flatMap((place) => pages[place] ?? [])
            .map(shown),
        ),
    }),
    defineOperation({
      ...common,
      name: 'read_auto_doc',
      title: 'Read a page of the documentation',
      description:
        'Use to read a page that search_auto_docs found. Returns the page with its Markdown. An unknown path is `not_found`.',
      route: '/api/docs/page',
      fields: object({
        path: text('The `path` of the page, as returned by search_auto_docs.', {
          maxLength: 300,
          examples: ['/workflows'],
        }),
      }),
      output: PageSchema,
      problems: ['not_found'],
      async handle(_call, { path }) {
        const page = byPath.get(pathMeant(path));
        if (page === undefined) throw unknownPage(path, [...byPath.keys()]);
        return { ...shown(page), markdown: page.markdown };
      },
    }),
    defineOperation({
      ...common,
      name: 'documentation_health',
      title: 'Check the health of the service',
      description: 'Returns `status: ok` and the number of pages.',
      route: '/health',
      output: object({
        status: Type.Literal('ok', { description: 'The service is running.' }),
        pages: count('The number of pages.'),
      }),
      problems: [],
      handle: () => Promise.resolve({ status: 'ok' as const, pages: pages.length }),
    }),
  ];
}

/** The path of a page, written with or without a leading slash and a trailing `.md` or slash. */
function pathMeant(written: string): string {
  const stem = written
    .replace(/^\/?/, '/')
    .replace(/\.md$/, '')
    .replace(/(?:^|\/)README$/, '/');
  return stem.length > 1 ? stem.replace(/\/$/, '') : stem;
}

function unknownPage(path: string, known: readonly string[]): Error {
  const near = nearestName(path.replace(/^\/?/, '/'), known);
  const hint =
    near === undefined ? `Use search_auto_docs (${SEARCH_ROUTE}?query=WORDS) to find pages.` : `Did you mean ${near}?`;
  return notFound(`There is no page ${JSON.stringify(path)}. ${hint}`);
}
