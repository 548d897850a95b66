// Text templates of definitions, in Liquid.
//
// 1. The same text with the same variables and the same time gives the same, whatever else goes on.
// 2. What is missing makes a text unrenderable rather than empty; `default` and conditions ask before they print.
// 3. Time and size of a rendering are bounded; going over a bound is a fault of the text, never of the service.
import { LiquidError, type Template } from 'liquidjs';
import type { Json } from '../../../shared/json.ts';
import { KIB } from '../../../shared/product.ts';
import { checkParsed, type TemplateCheck, type TemplateVariables } from './check.ts';
import { createEngine } from './engine.ts';

export type { TemplateCheck } from './check.ts';

export type Rendered = { ok: true; text: string } | { ok: false; detail: string };

export interface Templates {
  /**
   * What is wrong with a text, and what may be.
   * @param variables the names that it may use, without or with the schemas of their values
   */
  checkTemplate(text: string, variables: TemplateVariables): TemplateCheck;
  /** @param now milliseconds since 1970, what `now` is */
  render(text: string, variables: Readonly<Record<string, Json>>, now: number): Rendered;
}

const MOST_OUTPUT_BYTES = 256 * KIB;
const RENDER_LIMIT_MS = 200;
const MOST_REMEMBERED = 500;

export function createTemplates(): Templates {
  const { liquid, setNow } = createEngine(RENDER_LIMIT_MS);
  const parsed = new Map<string, Template[]>();

  /** @throws LiquidError */
  function parse(text: string): Template[] {
    const known = parsed.get(text);
    if (known !== undefined) return known;
    const templates = liquid.parse(text);
    if (parsed.size >= MOST_REMEMBERED) parsed.clear();
    parsed.set(text, templates);
    return templates;
  }

  return {
    checkTemplate(text, variables) {
      try {
        return checkParsed(liquid, parse(text), variables);
      } catch (error) {
        return { issues: [issueOf(error)], warnings: [] };
      }
    },
    render(text, variables, now) {
      setNow(now);
      try {
        const rendered: unknown = liquid.renderSync(parse(text), { ...variables });
        const whole = typeof rendered === 'string' ? rendered : String(rendered);
        // Looked at before it is walked: a short text can repeat itself into an immense one.
        if (whole.length <= MOST_OUTPUT_BYTES && Buffer.byteLength(whole) <= MOST_OUTPUT_BYTES) {
          return { ok: true, text: whole };
        }
        return { ok: false, detail: `The text has more than ${MOST_OUTPUT_BYTES / KIB} KiB once it is rendered.` };
      } catch (error) {
        const { line, column, detail } = issueOf(error);
        return { ok: false, detail: `Line ${line}, column ${column} of the text: ${detail}` };
      }
    },
  };
}

/** What the engine says, without the place that it repeats and without a value of the variables. */
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
    return `\`${missing}\` is missing; where it may be, write \`{{ ${missing} | default: "..." }}\`, with \`default\` before any other filter`;
  }
  const filter = /^undefined filter: (.*)$/.exec(words)?.[1];
  if (filter !== undefined) return `There is no filter \`${filter}\``;
  const tag = /^tag "?(.*?)"? not found$/.exec(words)?.[1];
  if (tag !== undefined) return `There is no tag \`${tag}\``;
  if (/(render|memory|parse).* limit exceeded/.test(words)) return 'It takes too much work to render; make it simpler';
  return `It cannot be rendered: ${words}`;
}
