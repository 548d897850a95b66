// Writes the documentation as static pages, with search: npm run docs:site [-- FOLDER]. The default folder is dist/site. All links
// are relative, so the folder can be put on any web server under any path. The pages are those of `cuebook docs`.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import MiniSearch from 'minisearch';
import { build } from 'vite';
import { type Layout, type Page, readPages, renderPage } from '../../server/interfaces/documentation/index.ts';
import { DOCUMENTATION_FOLDERS } from '../../server/runtime/resources.ts';
import { INDEX_FILE, SCRIPT_FILE, SEARCH_OPTIONS, type SearchedPage } from './search-options.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BROWSER = path.join(ROOT, 'scripts/site/browser/search.ts');

const ICON = path.join(ROOT, 'resources/icons/tray@2x.png');
const ICON_FILE = 'icon.png';

const POLICY =
  "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'";

const STYLE = `<style>
  form { margin: 1rem 0; }
  #search { font: inherit; width: 100%; box-sizing: border-box; padding: 0.4rem 0.6rem; }
  #search-status { margin: 0.25rem 0; min-height: 1.6em; }
  #search-results { padding-left: 1.2rem; }
</style>
`;

/** Each page is a file, since not every web server finds `workflows.html` at `workflows`. */
function fileOf(page: Page): string {
  return page.markdownPath.replace(/(?:README)?\.md$/, (end) => (end === 'README.md' ? 'index.html' : '.html'));
}

function layoutOf(pages: readonly Page[]): Layout {
  const files = new Map(pages.map((page) => [page.path, fileOf(page)]));
  return {
    addressOf: (page) => files.get(page) ?? page,
    extra: (to) => ({
      head: `<meta http-equiv="content-security-policy" content="${POLICY}">\n<script type="module" src="${to(`/${SCRIPT_FILE}`)}"></script>\n<link rel="icon" href="${to(`/${ICON_FILE}`)}">\n${STYLE}`,
      navigation: `
<form role="search"><label for="search">Search</label>
<input id="search" type="search" autocomplete="off"></form>
<p id="search-status" role="status"></p>
<ul id="search-results"></ul>
`,
    }),
  };
}

/** Writes the site into a folder, whose content it replaces. */
export async function writeSite(folder: string, pages: readonly Page[]): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const write = (address: string, text: string): void => {
    const file = path.join(folder, address);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const layout = layoutOf(pages);
  for (const page of pages) {
    write(fileOf(page), renderPage(page, pages, layout));
    write(page.markdownPath, page.markdown);
    for (const { path: address, file } of page.pictures) {
      if (address !== undefined) cpSync(file, path.join(folder, address));
    }
  }
  cpSync(ICON, path.join(folder, ICON_FILE));
  const index = new MiniSearch<SearchedPage>(SEARCH_OPTIONS);
  index.addAll(
    pages.map((page) => ({
      id: fileOf(page).slice(1),
      title: page.title,
      headings: page.headings.map(({ text }) => text).join('\n'),
      text: page.text,
      description: page.description,
    })),
  );
  write(INDEX_FILE, JSON.stringify(index));
  await build({
    configFile: false,
    logLevel: 'warn',
    root: ROOT,
    build: {
      outDir: folder,
      emptyOutDir: false,
      target: 'es2022',
      rolldownOptions: { input: BROWSER, output: { entryFileNames: SCRIPT_FILE } },
      modulePreload: { polyfill: false },
    },
  });
}

if (import.meta.main) {
  const folder = path.resolve(process.argv[2] ?? path.join(ROOT, 'dist/site'));
  const pages = readPages(DOCUMENTATION_FOLDERS);
  await writeSite(folder, pages);
  console.log(`Wrote ${pages.length} pages into ${folder}.`);
}
