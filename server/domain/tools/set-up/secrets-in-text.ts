// Where secrets stand in a text: in the value of a variable or header, in an argument, an address, a script or JSON.
import type { Node } from 'jsonc-parser';
import { readJsonTree } from './json-with-comments.ts';
import { isKeySegment, isSecretName, isSecretUrl, isSecretValue, looksRandom, tokensIn } from './secret-values.ts';

export interface FoundSecret {
  start: number;
  end: number;
  /** What it is named after: the variable, flag or header that holds it. */
  label: string;
  /** It stands in JSON, whose texts are escaped. */
  isInJson?: boolean;
}

export interface TextContext {
  /** The variable, header or parameter whose value the text is. */
  name?: string;
  /** The argument before it. */
  before?: string | undefined;
  /** It stands in a text that was looked at: only one is looked into. */
  isInner?: boolean;
}

const SCHEME = /^(?:bearer|basic|token|apikey|api-key)[ \t]+/i;
const FLAG = /^--?[A-Za-z][\w-]*$/;
const USER_FLAG = /^(?:-u|--user|--basic-auth)$/;
const SCRIPT_FLAG = /^-l?c$/;
const URLS = /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,20}:\/\/[^\s"'<>]+/gi;
const ASSIGNMENTS = /(?<![\w.-])(--?)?([A-Za-z_][\w.-]{0,80})=("[^"]*"|'[^']*'|[^\s;&"',]+)/g;
const FLAGS_WITH_VALUE = /(?<![\w-])(--?[A-Za-z][\w-]{0,60})[ \t]+("[^"]*"|'[^']*'|[^\s"'-][^\s"']*)/g;
const HEADER = /^([A-Za-z][\w-]{0,60}):[ \t]*(?!\/\/)(\S[^]*)$/;
const BEARER = /(?<![\w-])(bearer[ \t]+)([\w+/=.~-]{8,})/gi;
/** A `$` reference to a variable is no secret. */
const REFERENCE = /\$\{[^{}]*\}/;

/** The secrets in a text, in order; none overlap. */
export function secretsIn(text: string, context: TextContext = {}): FoundSecret[] {
  const found = candidates(text, context).flatMap((one): FoundSecret[] => {
    const held = text.slice(one.start, one.end);
    if (!REFERENCE.test(held)) return held === '' ? [] : [one];
    return tokensIn(held).map(([start, end]) => ({ start: one.start + start, end: one.start + end, label: 'TOKEN' }));
  });
  const kept: FoundSecret[] = [];
  // The larger of two holds the other.
  for (const one of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (one.start >= (kept.at(-1)?.end ?? 0)) kept.push(one);
  }
  return kept;
}

function candidates(text: string, { name, before, isInner = false }: TextContext): FoundSecret[] {
  if (name !== undefined && isSecretValue(name, text)) return [afterScheme(text, 0, name)];
  const json = isInner ? undefined : inJson(text);
  if (json !== undefined) return json;
  if (name === undefined) {
    const isScript = SCRIPT_FLAG.test(before ?? '');
    const flag = before !== undefined && !isScript && FLAG.test(before) && !text.startsWith('-') ? before : undefined;
    const isOfFlag = flag !== undefined && isSecretValue(flag, text);
    if (isOfFlag && isSecretName(flag)) return [afterScheme(text, 0, flag)];
    if (USER_FLAG.test(before ?? '') && isUserWithPassword(text)) {
      return [{ start: 0, end: text.length, label: 'PASSWORD' }];
    }
    const whole = isScript ? undefined : asAssignment(text, isInner);
    if (whole !== undefined) return whole;
    if (isOfFlag && !text.includes('://')) return [afterScheme(text, 0, flag)];
    if (isBareSecret(text, before)) return [{ start: 0, end: text.length, label: 'TOKEN' }];
  }
  return [
    ...inUrls(text),
    ...inScript(text),
    ...tokensIn(text).map(([start, end]) => ({ start, end, label: 'TOKEN' })),
  ];
}

/** `--flag=value`, `NAME=value` and `Header: value`, where the argument is nothing else. */
function asAssignment(text: string, isInner: boolean): FoundSecret[] | undefined {
  const [, kept = '', flag = '', value = ''] =
    /^((?:-[eE])?(--?[A-Za-z][\w.-]{0,80}|[A-Za-z_][\w.-]{0,80})=)([^]*)$/.exec(text) ?? [];
  const [, header = '', ofHeader = ''] = kept === '' ? (HEADER.exec(text) ?? []) : [];
  const label = flag === '' ? header : flag;
  const held = flag === '' ? ofHeader : value;
  if (held === '') return undefined;
  const start = text.length - held.length;
  if (isSecretValue(label, held)) return [afterScheme(text, start, label)];
  if (flag === '' || isInner) return undefined;
  // `--env=NAME=value`, `--header=Name: value` and `NAME={"Header": "value"}`
  const inner = inJson(held) ?? secretsIn(held, { before: flag, isInner: true });
  return inner.length === 0
    ? undefined
    : inner.map((one) => ({ ...one, start: one.start + start, end: one.end + start }));
}

/** Without the scheme of a header, which is no secret. */
function afterScheme(text: string, start: number, label: string): FoundSecret {
  const [scheme = ''] = SCHEME.exec(text.slice(start)) ?? [];
  const isOfHeader = scheme !== '' || /^authorization$/i.test(label);
  return { start: start + scheme.length, end: text.length, label: isOfHeader ? 'TOKEN' : label };
}

/** Names of packages, images and revisions hold digests, and flags name ids. */
function isBareSecret(text: string, before: string | undefined): boolean {
  if (/[@/\\]|:\/\/|^git\+|^-/.test(text) || text.length < 20) return false;
  const isNamed = before !== undefined && FLAG.test(before) && before.length > 2 && !isSecretName(before);
  return !isNamed && looksRandom(text);
}

function inUrls(text: string): FoundSecret[] {
  return [...text.matchAll(URLS)].flatMap(({ index, 0: url }): FoundSecret[] => {
    if (isSecretUrl(url)) return [{ start: index, end: index + url.length, label: 'URL' }];
    const query = url.search(/[?#]/);
    const path = query === -1 ? url : url.slice(0, query);
    const segments = [...path.matchAll(/(?<=[^/:]\/)[^/]+/g)].filter(([segment]) => isKeySegment(segment));
    const parameters = [...url.matchAll(/[?&#]([^=?&#]{1,80})=([^&#]+)/g)].filter(([, key = '', value = '']) =>
      isSecretValue(key, value),
    );
    return [
      ...segments.map(({ index: at, 0: segment }) => ({
        start: index + at,
        end: index + at + segment.length,
        label: 'TOKEN',
      })),
      ...parameters.map(({ index: at, 0: whole, 1: label = '', 2: value = '' }) => ({
        start: index + at + whole.length - value.length,
        end: index + at + whole.length,
        label,
      })),
    ];
  });
}

/** `NAME:PASSWORD`; containers write their user and group so, as numbers or one name. */
function isUserWithPassword(text: string): boolean {
  const [, user = '', password = ''] = /^([^\s:/]+):([^\s/][^]*)$/.exec(text) ?? [];
  return password !== '' && user !== password && !/^\d+:\d+$/.test(text);
}

/** What a command line in a text gives to the programs in it. */
function inScript(text: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  const add = (whole: RegExpExecArray, label: string, written: string): void => {
    const quote = /^["']/.test(written) ? 1 : 0;
    const end = whole.index + whole[0].length;
    const value = written.slice(quote, written.length - quote);
    const start = end - written.length + quote;
    const [, header = '', ofHeader = ''] = HEADER.exec(value) ?? [];
    if (isSecretValue(label, value)) found.push({ start, end: end - quote, label });
    else if (USER_FLAG.test(label) && isUserWithPassword(value))
      found.push({ start, end: end - quote, label: 'PASSWORD' });
    else if (quote === 1 && isSecretValue(header, ofHeader)) {
      const [scheme = ''] = SCHEME.exec(ofHeader) ?? [];
      found.push({ start: end - quote - ofHeader.length + scheme.length, end: end - quote, label: header });
    }
  };
  for (const one of text.matchAll(ASSIGNMENTS)) add(one, one[2] ?? '', one[3] ?? '');
  for (const one of text.matchAll(FLAGS_WITH_VALUE)) add(one, one[1] ?? '', one[2] ?? '');
  for (const { index, 0: whole, 1: scheme = '' } of text.matchAll(BEARER)) {
    found.push({ start: index + scheme.length, end: index + whole.length, label: 'TOKEN' });
  }
  return found;
}

/** Undefined for a text that is no JSON object or list. */
function inJson(text: string): FoundSecret[] | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  const root = readJsonTree(text);
  if (root === undefined) return undefined;
  const found: FoundSecret[] = [];
  const open: { node: Node; name?: string | undefined; before?: string | undefined }[] = [{ node: root }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, name, before } = next;
    if (node.type === 'string') {
      const value = String(node.value);
      const isPlain = value.length === node.length - 2;
      const start = node.offset + 1;
      const inner = secretsIn(value, { ...(name === undefined ? { before } : { name }), isInner: true });
      for (const one of inner) {
        const span = isPlain
          ? { start: start + one.start, end: start + one.end }
          : { start, end: node.offset + node.length - 1 };
        found.push({ ...span, label: one.label, isInJson: true });
      }
    } else if (node.type === 'object') {
      for (const { children: [key, value] = [] } of node.children ?? [])
        if (key !== undefined && value !== undefined) open.push({ node: value, name: String(key.value) });
    } else {
      const items = node.children ?? [];
      items.forEach((item, at) => {
        const previous: unknown = items[at - 1]?.value;
        open.push({ node: item, name, before: typeof previous === 'string' ? previous : undefined });
      });
    }
  }
  return found;
}
