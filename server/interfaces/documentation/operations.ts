import Type, { type Static } from 'typebox';
import { nearestName } from '../../../shared/nearest-name.ts';
import { notFound } from '../../lib/rejection.ts';
import { defineOperation, type Operation } from '../../operations/index.ts';
import type { Page } from './page.ts';
import type { SearchIndex } from './search-index.ts';

const tag = 'Documentation';
const hints = { readOnly: true, destructive: false, idempotent: true };
const common = { tag, permissions: [], method: 'GET', path: Type.Object({}), hints, mcp: false } as const;

const PageSchema = Type.Object(
  {
    title: Type.String({ description: 'The first heading.' }),
    url: Type.String({ format: 'uri', description: 'Where people read the page.' }),
    path: Type.String({ description: 'What read_auto_doc takes.' }),
    markdownUrl: Type.String({ format: 'uri', description: 'Where the Markdown stands.' }),
    description: Type.String({ description: 'The first paragraph, in plain words.' }),
    markdown: Type.Optional(Type.String({ description: 'The Markdown; in read_auto_doc alone.' })),
  },
  { additionalProperties: false },
);

/** Where pages are searched. */
export const SEARCH_ROUTE = '/api/docs';

export interface Published {
  pages: readonly Page[];
  index: SearchIndex;
  /** The address that the pages stand below, without a slash at its end. */
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
        'Use to find the pages that answer a question; write words or the whole question. Returns pages, best first, without their Markdown: words in titles and headings count most, parts of words are found, and one typo in a word does no harm. Nothing found is an empty list.',
      route: SEARCH_ROUTE,
      fields: Type.Object(
        {
          query: Type.String({
            minLength: 1,
            maxLength: 200,
            description: 'What to look for.',
            examples: ['retry a call'],
          }),
          limit: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 20,
              default: 8,
              description: 'Pages to return at most; 8 when absent.',
            }),
          ),
        },
        { additionalProperties: false },
      ),
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
        'Use to read a page that search_auto_docs found. Returns the page with its Markdown. A path that no page has is `not_found`.',
      route: '/api/docs/page',
      fields: Type.Object(
        {
          path: Type.String({
            maxLength: 300,
            description: "The page's `path`, as search_auto_docs gives it.",
            examples: ['/workflows'],
          }),
        },
        { additionalProperties: false },
      ),
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
      title: 'Say whether the documentation is served',
      description: 'Returns `status: ok` and how many pages there are.',
      route: '/health',
      output: Type.Object(
        {
          status: Type.Literal('ok', { description: 'The service answers.' }),
          pages: Type.Integer({ minimum: 0, description: 'How many pages there are.' }),
        },
        { additionalProperties: false },
      ),
      problems: [],
      handle: () => Promise.resolve({ status: 'ok' as const, pages: pages.length }),
    }),
  ];
}

/** The path of a page, written with or without the slash before it and the `.md` or slash behind it. */
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
    near === undefined
      ? `search_auto_docs (${SEARCH_ROUTE}?query=WORDS) finds pages by their words.`
      : `Did you mean ${near}?`;
  return notFound(`There is no page ${JSON.stringify(path)}. ${hint}`);
}
