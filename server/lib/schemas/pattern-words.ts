// What a text must do to match a pattern, in words. A pattern that is not simple is shown as it is written.
import { NAME_PATTERN, NAME_RULE } from '../../../shared/names.ts';
import { cutText } from '../cut-text.ts';

/** Patterns that stand for more than their parts. */
const KNOWN: ReadonlyMap<string, string> = new Map([
  ['\\S', 'contain more than white space'],
  [NAME_PATTERN, `be ${NAME_RULE}`],
  ['^[0-9a-f]{64}$', 'be 64 lowercase hexadecimal digits'],
  ['^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$', 'be a UUID'],
  ['^[1-9][0-9]{0,8}$', 'be a whole number from 1 to 999999999, without leading zeros'],
  ['^[^\\u0000-\\u001f\\u007f-\\u009f]*$', 'contain no control characters; remove them'],
  [
    '^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,62}[A-Za-z0-9])?$',
    'be 1 to 64 letters, digits, `_` and `-`, and begin and end with a letter or a digit',
  ],
  ['^[^\\s/*]+/[^\\s*]+$', 'be PROVIDER/MODEL, such as openai/gpt-5-mini'],
]);

/** The characters of a class, by its ranges in their order. */
const RANGES: ReadonlyMap<string, string> = new Map([
  ['0-9', 'digits'],
  ['A-Z', 'capital letters'],
  ['a-z', 'lowercase letters'],
  ['A-Z a-z', 'letters'],
  ['0-9 a-f', 'lowercase hexadecimal digits'],
  ['0-9 A-F', 'uppercase hexadecimal digits'],
  ['0-9 A-F a-f', 'hexadecimal digits'],
  ['0-9 A-Z', 'capital letters and digits'],
  ['0-9 a-z', 'lowercase letters and digits'],
  ['0-9 A-Z a-z', 'letters and digits'],
]);
const ESCAPED: Readonly<Record<string, string>> = { d: '0-9', w: 'A-Za-z0-9_' };

const MOST_PARTS = 8;
/** A longer pattern is not put in words. */
const MOST_CHARACTERS = 1000;
/** A class, an escape, a character, each with its count. */
const PART =
  /(?:(?<set>\[(?:[^\]\\]|\\.)+\])|\\(?<escape>.)|(?<any>\.)|(?<literal>[^\\[\](){}.*+?|^$]))/.source +
  /(?<count>\{\d{1,4}(?:,\d{0,4})?\}|[*+?])?/.source;

/** The end of a sentence after "must". */
export function patternWords(pattern: string): string {
  const words = KNOWN.get(pattern);
  if (words !== undefined || pattern.length > MOST_CHARACTERS) return words ?? written(pattern);
  return choiceWords(pattern) ?? partsWords(pattern) ?? written(pattern);
}

function written(pattern: string): string {
  return `match the pattern ${cutText(pattern, 200)}`;
}

/** `^(a|b)$`: a list of texts. */
function choiceWords(pattern: string): string | undefined {
  const texts = /^\^\((?:\?:)?([\w -]+(?:\|[\w -]+)+)\)\$$/.exec(pattern)?.[1]?.split('|');
  return texts === undefined
    ? undefined
    : `be one of ${texts
        .slice(0, 12)
        .map((text) => JSON.stringify(text))
        .join(', ')}`;
}

function partsWords(pattern: string): string | undefined {
  const [begins, ends] = [pattern.startsWith('^'), /(?<!\\)\$$/.test(pattern)];
  const inner = pattern.slice(begins ? 1 : 0, ends ? -1 : undefined);
  const found = [...inner.matchAll(new RegExp(PART, 'gsy'))];
  if (found.map(([text]) => text).join('') !== inner) return undefined;
  const parts: string[] = [];
  let literal = '';
  const flush = (): void => {
    if (literal !== '') parts.push(JSON.stringify(literal));
    literal = '';
  };
  for (const { groups = {} } of found) {
    const { set, escape, any, count } = groups;
    const character = groups['literal'] ?? (escape !== undefined && /\W/.test(escape) ? escape : undefined);
    if (character !== undefined && count === undefined) {
      literal += character;
      continue;
    }
    const names = character === undefined ? namesOf(set, escape, any) : `characters ${JSON.stringify(character)}`;
    const words = names === undefined ? undefined : countedWords(count, names);
    if (words === undefined) return undefined;
    flush();
    parts.push(words);
  }
  flush();
  if (parts.length === 0 || parts.length > MOST_PARTS) return undefined;
  const verb = begins ? (ends ? 'be' : 'begin with') : ends ? 'end with' : 'contain';
  return `${verb} ${parts.join(', then ')}`;
}

function namesOf(set: string | undefined, escape: string | undefined, any: string | undefined): string | undefined {
  if (any !== undefined) return 'characters';
  if (escape === 'S') return 'characters other than white space';
  const inner = set?.slice(1, -1) ?? ESCAPED[escape ?? ''];
  if (inner === undefined) return undefined;
  const isOther = inner.startsWith('^');
  const names = charactersOf(isOther ? inner.slice(1) : inner);
  return isOther && names !== undefined ? `characters other than ${names}` : names;
}

/** The characters of a class without its brackets. */
function charactersOf(inner: string): string | undefined {
  const spelled = inner.replaceAll('\\d', '0-9').replaceAll('\\w', 'A-Za-z0-9_');
  const members = [...spelled.matchAll(/([0-9A-Za-z]-[0-9A-Za-z])|\\(\W)|([^\\])/gsy)];
  if (members.map(([text]) => text).join('') !== spelled) return undefined;
  const ranges = [...new Set(members.flatMap(([, range]) => range ?? []))].toSorted().join(' ');
  const singles = [...new Set(members.flatMap(([, , escaped, single]) => escaped ?? single ?? []))];
  const ranged = RANGES.get(ranges);
  if ((ranges !== '' && ranged === undefined) || singles.some((one) => /[\s\p{Cc}]/u.test(one) && one !== ' ')) {
    return undefined;
  }
  const shown = singles.map((one) => (one === ' ' ? 'spaces' : `\`${one}\``));
  const all = ranged === undefined ? shown : [...ranged.split(' and '), ...shown];
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}

/** How many of some characters, as in "2 to 4 digits". */
function countedWords(count: string | undefined, names: string): string | undefined {
  if (count === undefined) return `one of ${names}`;
  if (count === '+') return `one or more ${names}`;
  if (count === '*') return `any number of ${names}`;
  if (count === '?') return `at most one of ${names}`;
  const [, least = '', comma, most = ''] = /^\{(\d+)(?:(,)(\d*))?\}$/.exec(count) ?? [];
  if (comma === undefined) return least === '1' ? `one of ${names}` : `${least} ${names}`;
  return most === '' ? `at least ${least} ${names}` : `${least} to ${most} ${names}`;
}
