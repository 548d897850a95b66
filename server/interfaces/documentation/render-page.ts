// Renders a page as HTML. The pages are part of the product, so their Markdown is trusted; still, no script can run.
import { posix } from 'node:path';
import { Marked, type Tokens } from 'marked';
import type { Page } from './page.ts';
import { createAnchors, plain } from './read-markdown.ts';

export const PAGE_POLICY =
  "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

const STYLE = `
  :root { color-scheme: light dark; background: Canvas; color: CanvasText; font: 16px/1.6 system-ui, sans-serif; }
  body { max-width: 46rem; margin: 2rem auto 6rem; padding: 0 1rem; }
  pre { overflow-x: auto; padding: 0.75rem 1rem; border: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
  code { font-size: 0.9em; }
  table { border-collapse: collapse; display: block; overflow-x: auto; }
  img { max-width: 100%; min-width: 12rem; }
  th, td { border: 1px solid color-mix(in srgb, currentColor 20%, transparent); padding: 0.3rem 0.6rem; text-align: left; vertical-align: top; }
`;

/** What differs between the documentation service and static pages. */
export interface Layout {
  /** The address of a page by its path: `/workflows.html` of `/workflows`. Links between pages are relative. */
  addressOf: (path: string) => string;
  /**
   * HTML for the head, and after the link to the start page.
   * @param to the relative link to an address
   */
  extra: (to: (address: string) => string) => { head: string; navigation: string };
}

const SERVED: Layout = { addressOf: (path) => path, extra: () => ({ head: '', navigation: '' }) };

/** @param all every page, listed on the start page */
export function renderPage(page: Page, all: readonly Page[], { addressOf, extra }: Layout = SERVED): string {
  const own = addressOf(page.path);
  const toPage = (path: string, anchor?: string): string => relative(own, addressOf(path), anchor);
  const { head, navigation } = extra((address) => relative(own, address, undefined));
  const anchors = createAnchors();
  const byHref = new Map(page.links.map((link) => [link.href, link]));
  const pictures = new Map(page.pictures.map((picture) => [picture.href, picture]));
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const id = escaped(anchors(plain(tokens).trim()));
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const text = this.parser.parseInline(tokens);
        const link = byHref.get(href);
        const target = link?.page === undefined ? href : toPage(link.page, link.anchor);
        return `<a href="${escaped(target)}">${text}</a>`;
      },
      image({ href, text }: Tokens.Image) {
        const location = pictures.get(href)?.path;
        const source = location === undefined ? href : relative(own, location, undefined);
        return `<img src="${escaped(source)}" alt="${escaped(text)}" loading="lazy">`;
      },
    },
  });
  const body = marked.parse(page.markdown, { async: false });
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(page.title)} - Cuebook</title>
<meta name="description" content="${escaped(page.description)}">
${head}<style>${STYLE}</style>
<nav><a href="${escaped(toPage('/'))}">Cuebook documentation</a>${navigation}</nav>
<main>
${body}${page.path === '/' ? contents(all, toPage) : ''}</main>
</html>
`;
}

function contents(pages: readonly Page[], toPage: (path: string) => string): string {
  const links = pages.map(({ path, title }) => `<li><a href="${escaped(toPage(path))}">${escaped(title)}</a></li>`);
  return `<h2 id="all-pages">All pages</h2>\n<ul>\n${links.join('\n')}\n</ul>\n`;
}

/** A relative link from page to page, so that the pages work under any base address. */
function relative(from: string, to: string, anchor: string | undefined): string {
  const folder = posix.relative(posix.dirname(from), posix.dirname(to));
  const location = `${folder === '' && to !== '/' ? '' : `${folder || '.'}/`}${posix.basename(to)}`;
  return anchor === undefined ? location : `${location}#${anchor}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
