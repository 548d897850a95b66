// Reads folders of Markdown files as pages. Every Markdown file is a page; no front matter or index is needed.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page, Picture } from './page.ts';
import { readMarkdown } from './read-markdown.ts';

export interface PageFolder {
  /** A folder of this machine. */
  folder: string;
  /** The base path of its pages: `/`, or for example `/guides`. */
  at: string;
}

interface PageFile {
  file: string;
  path: string;
  markdownPath: string;
}

/** Every page of the folders, by path. */
export function readPages(folders: readonly PageFolder[]): Page[] {
  const files = folders.flatMap(filesIn).toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const byFile = new Map(files.map((file) => [file.file, file]));
  return files.map((file) => readPage(file, byFile));
}

function filesIn({ folder, at }: PageFolder): PageFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => {
      const markdownPath = path.posix.join(at, name.split(path.sep).join('/'));
      const stem = markdownPath.slice(0, -'.md'.length);
      const isIndex = path.posix.basename(stem) === 'README';
      return { file: path.join(folder, name), path: isIndex ? path.posix.dirname(stem) : stem, markdownPath };
    });
}

function readPage(file: PageFile, byFile: ReadonlyMap<string, PageFile>): Page {
  const written = readFileSync(file.file, 'utf8');
  const {
    title = path.posix.basename(file.path),
    description,
    headings,
    text,
    hrefs,
    pictures,
  } = readMarkdown(written);
  const links = hrefs.map((href) => ({ href, ...readLink(href, file, byFile) }));
  return {
    path: file.path,
    markdownPath: file.markdownPath,
    title,
    description,
    headings,
    text,
    markdown: links.reduce((markdown, { href, served }) => markdown.replaceAll(`](${href})`, `](${served})`), written),
    pictures: pictures.map((href) => readPicture(href, file)),
    links: links.map(({ served, page, anchor }) => ({ href: served, page, anchor })),
  };
}

/** Pictures are files beside the pages, in the served folders. */
function readPicture(href: string, from: PageFile): Picture {
  const file = path.join(path.dirname(from.file), href);
  const served = path.posix.join(path.posix.dirname(from.markdownPath), href);
  return { href, path: existsSync(file) ? served : undefined, file };
}

/** Rewrites a link between two served folders, whose base paths differ from their places on disk. */
function readLink(
  href: string,
  from: PageFile,
  byFile: ReadonlyMap<string, PageFile>,
): { served: string; page: string | undefined; anchor: string | undefined } {
  const [location = '', anchor] = href.split('#');
  if (location === '') return { served: href, page: from.path, anchor };
  const isElsewhere = /^[a-z][a-z0-9+.-]*:|^\//i.test(location);
  const to = isElsewhere ? undefined : byFile.get(path.join(path.dirname(from.file), location));
  if (to === undefined) return { served: href, page: undefined, anchor };
  const served = path.posix.relative(path.posix.dirname(from.markdownPath), to.markdownPath);
  return { served: anchor === undefined ? served : `${served}#${anchor}`, page: to.path, anchor };
}
