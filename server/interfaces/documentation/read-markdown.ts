// Extracts plain text, headings, links and pictures from Markdown.
import { Lexer, type Token, type Tokens } from 'marked';
import type { Heading } from './page.ts';

export interface ReadMarkdown {
  title: string | undefined;
  description: string;
  headings: Heading[];
  text: string;
  /** The targets of links. */
  hrefs: string[];
  /** The sources of pictures. */
  pictures: string[];
}

const MOST_DESCRIBED = 300;

export function readMarkdown(markdown: string): ReadMarkdown {
  const tokens = new Lexer({ gfm: true }).lex(markdown);
  const anchors = createAnchors();
  const headings = tokens.filter((token): token is Tokens.Heading => token.type === 'heading').map(headingOf(anchors));
  const rest = tokens.filter(({ type }) => type !== 'heading');
  const paragraph = rest.find(({ type }) => type === 'paragraph');
  return {
    title: headings[0]?.text,
    description: paragraph === undefined ? '' : cut(plain([paragraph]).trim()),
    headings: headings.slice(1),
    text: plain(rest),
    hrefs: hrefsIn(tokens, 'link'),
    pictures: hrefsIn(tokens, 'image'),
  };
}

function headingOf(anchors: (text: string) => string): (heading: Tokens.Heading) => Heading {
  return ({ tokens }) => {
    const text = plain(tokens).trim();
    return { text, anchor: anchors(text) };
  };
}

/** Assigns each heading of a page, in order, the same anchor as GitHub. */
export function createAnchors(): (text: string) => string {
  const given = new Map<string, number>();
  return (text) => {
    const slug = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-');
    const before = given.get(slug) ?? 0;
    given.set(slug, before + 1);
    return before === 0 ? slug : `${slug}-${before}`;
  };
}

/** The text of tokens; blocks, items and cells are separated. */
export function plain(tokens: readonly Token[]): string {
  return tokens.map(plainOf).join('');
}

function plainOf(token: Token): string {
  switch (token.type) {
    case 'table': {
      const { header, rows } = token as Tokens.Table;
      return `${[header, ...rows].map((row) => row.map((cell) => plain(cell.tokens)).join(' ')).join('\n')}\n`;
    }
    case 'list':
      return (token as Tokens.List).items.map((item) => `${plain(item.tokens)}\n`).join('');
    case 'code':
      return `${(token as Tokens.Code).text}\n`;
    case 'space':
    case 'hr':
    case 'br':
      return '\n';
    case 'html':
      return '';
    case 'paragraph':
    case 'blockquote':
      return `${plain(token.tokens ?? [])}\n`;
    default:
      return 'tokens' in token && token.tokens !== undefined ? plain(token.tokens) : 'text' in token ? token.text : '';
  }
}

function hrefsIn(tokens: readonly Token[], type: 'link' | 'image'): string[] {
  return tokens.flatMap((token): string[] => {
    if (token.type === 'table') {
      const { header, rows } = token as Tokens.Table;
      return [header, ...rows].flat().flatMap((cell) => hrefsIn(cell.tokens, type));
    }
    const own = token.type === type ? [String(token.href)] : [];
    const below = token.type === 'list' ? (token as Tokens.List).items : 'tokens' in token ? (token.tokens ?? []) : [];
    return [...own, ...hrefsIn(below, type)];
  });
}

/** Cuts a line to its maximum length, at the end of a word. */
function cut(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length <= MOST_DESCRIBED ? line : `${line.slice(0, MOST_DESCRIBED).replace(/\s+\S*$/, '')} …`;
}
