// Liquid, in a worker: parses, checks and renders texts.
import { LRUCache } from 'lru-cache';
import { LiquidError, type Template } from 'liquidjs';
import type { Json } from '../../../shared/json.ts';
import { KIB } from '../../../shared/product.ts';
import { checkParsed, type TemplateCheck, type TemplateVariables } from './check.ts';
import { createEngine } from './engine.ts';
import { TOO_MANY_MEMBERS } from './ranges.ts';

const MOST_OUTPUT_BYTES = 256 * KIB;
const MOST_REMEMBERED = 500;

const { liquid, setNow } = createEngine();
const parsed = new LRUCache<string, Template[]>({ max: MOST_REMEMBERED });

/** @throws LiquidError */
function parse(text: string): Template[] {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const templates = liquid.parse(text);
  parsed.set(text, templates);
  return templates;
}

export function checkTemplate({ text, variables }: { text: string; variables: TemplateVariables }): TemplateCheck {
  try {
    return checkParsed(liquid, parse(text), variables);
  } catch (error) {
    return { issues: [issueOf(error)], warnings: [] };
  }
}

export type Rendered = { ok: true; text: string } | { ok: false; detail: string };

export interface Rendering {
  text: string;
  variables: Readonly<Record<string, Json>>;
  /** What `now` is, in milliseconds since 1970. */
  now: number;
}

export function renderTemplate({ text, variables, now }: Rendering): Rendered {
  setNow(now);
  try {
    const rendered: unknown = liquid.renderSync(parse(text), { ...variables });
    const whole = typeof rendered === 'string' ? rendered : String(rendered);
    // The length first, without walking the text: a short text can repeat itself into an immense one.
    if (whole.length <= MOST_OUTPUT_BYTES && Buffer.byteLength(whole) <= MOST_OUTPUT_BYTES) {
      return { ok: true, text: whole };
    }
    return { ok: false, detail: `The text has more than ${MOST_OUTPUT_BYTES / KIB} KiB after rendering.` };
  } catch (error) {
    const { line, column, detail } = issueOf(error);
    return { ok: false, detail: `Line ${line}, column ${column} of the text: ${detail}` };
  }
}

/** The engine's own words, without the position that it repeats and without a value of the variables. */
function issueOf(error: unknown): TemplateCheck['issues'][number] {
  if (!LiquidError.is(error)) return { line: 1, column: 1, detail: 'The text cannot be rendered.' };
  const [line = 1, column = 1] = error.token.getPosition();
  const cause = (error.originalError?.message ?? error.message).split('\n')[0] ?? '';
  const words = cause.replace(/, line:\d+, col:\d+$/, '').slice(0, 200);
  return { line: Math.max(line, 1), column: Math.max(column, 1), detail: `${sentenceOf(words)}.` };
}

function sentenceOf(words: string): string {
  const missing = /^undefined variable: (.*)$/.exec(words)?.[1];
  if (missing !== undefined) {
    return `\`${missing}\` is missing; if it is optional, write \`{{ ${missing} | default: "..." }}\`, with \`default\` before any other filter`;
  }
  const filter = /^undefined filter: (.*)$/.exec(words)?.[1];
  if (filter !== undefined) return `Unknown filter \`${filter}\`${insteadOfFilter(filter)}`;
  const tag = /^tag "?(.*?)"? not found$/.exec(words)?.[1];
  if (tag === 'liquid') return 'Unknown tag `liquid`; write each of its lines as a tag, `{% ... %}`';
  if (tag !== undefined) return `Unknown tag \`${tag}\``;
  if (words.startsWith(TOO_MANY_MEMBERS)) {
    return 'A range has at most 10,000 members; write a smaller one, or loop over a list';
  }
  if (/(?:render|memory alloc|parse length) limit exceeded/.test(words))
    return 'It takes too much work to render; make it simpler';
  return `It cannot be rendered: ${words}`;
}

/** Filters that take an expression as a text are left out: the cost of evaluating it is not known before. */
function insteadOfFilter(filter: string): string {
  const plain = /^(has|find|where|reject|group_by|find_index)_exp$/.exec(filter)?.[1];
  if (plain === undefined) return '';
  return `; write \`${plain}: "field"${plain === 'group_by' ? '' : ', value'}\`, or \`{% for %}\` with \`{% if %}\``;
}
