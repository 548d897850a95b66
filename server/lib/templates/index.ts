// Text templates of definitions, in Liquid.
//
// 1. The same text with the same variables and the same time gives the same, whatever else runs.
// 2. What is missing makes a text unrenderable rather than empty; `default` and conditions ask before they print.
// 3. Nothing of a text is parsed, checked or rendered on the main thread. Time, memory and size are bounded, and what
//    exceeds a bound is unrenderable: a fault of the text, never of the service.
import type { Json } from '../../../shared/json.ts';
import { textJob, type TextWork } from '../text-work/index.ts';
import type { PlaybookRef } from '../worker-pool/index.ts';
import type { TemplateCheck, TemplateVariables } from './check.ts';
import type { checkTemplate, Rendered, renderTemplate } from './template.job.ts';

export interface Templates {
  /**
   * What is wrong with a text, and what may be.
   * @param variables the names that it may use, without or with the schemas of their values
   * @param playbookKey the playbook that it runs for
   * @throws Refused `unavailable` when no worker is free
   */
  checkTemplate(text: string, variables: TemplateVariables, playbookKey?: PlaybookRef): Promise<TemplateCheck>;
  /**
   * @param now milliseconds since 1970, what `now` is
   * @param playbookKey the playbook that it runs for
   * @throws Refused `unavailable` when no worker is free
   */
  render(
    text: string,
    variables: Readonly<Record<string, Json>>,
    now: number,
    playbookKey?: PlaybookRef,
  ): Promise<Rendered>;
}

const MODULE = new URL('./template.job.ts', import.meta.url);
const CHECK = textJob<typeof checkTemplate>({ module: MODULE, name: 'checkTemplate', deadlineMs: 1000 });
const RENDER = textJob<typeof renderTemplate>({ module: MODULE, name: 'renderTemplate', deadlineMs: 1000 });
const TOO_MUCH_WORK = 'takes longer than a second, or too much memory; make it simpler.';

export function createTemplates(textWork: TextWork): Templates {
  return {
    async checkTemplate(text, variables, playbookKey) {
      if (isPlain(text)) return { issues: [], warnings: [] };
      const found = await textWork.run(CHECK, { text, variables }, playbookKey);
      if (found !== 'unfinished') return found;
      return { issues: [{ line: 1, column: 1, detail: `Reading the text ${TOO_MUCH_WORK}` }], warnings: [] };
    },
    async render(text, variables, now, playbookKey) {
      if (isPlain(text)) return { ok: true, text };
      const job = { text, variables: namedIn(text, variables), now };
      const rendered = await textWork.run(RENDER, job, playbookKey);
      return rendered === 'unfinished' ? { ok: false, detail: `Rendering the text ${TOO_MUCH_WORK}` } : rendered;
    },
  };
}

/** The variables that a text may name: others need not be copied to the worker. */
function namedIn<Value>(text: string, variables: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  // In brackets a text can put a name together.
  if (text.includes('[')) return variables;
  return Object.fromEntries(Object.entries(variables).filter(([name]) => text.includes(name)));
}

/** Whether a text is the same once it is rendered. A document bounds its length. */
function isPlain(text: string): boolean {
  return !text.includes('{{') && !text.includes('{%');
}
