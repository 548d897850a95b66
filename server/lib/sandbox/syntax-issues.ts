// What TypeScript finds wrong in the grammar of a program, at the place where an author looks for it.
import type { Position, ProgramIssue } from './job.ts';

/** What this needs of a diagnostic. */
export interface SyntaxFound {
  pos: number;
  code: number;
  text: string;
  relatedInformation?: readonly { pos: number; text: string }[] | undefined;
}

const UNTERMINATED_COMMENT = 1010;
const UNTERMINATED_TEMPLATE = 1160;

/** Issues in their order; what was opened and never closed stands where it was opened. */
export function syntaxIssues(source: string, found: readonly SyntaxFound[]): ProgramIssue[] {
  return found.map((one) => {
    const opening = openingOf(source, one);
    if (opening === undefined) {
      return { ...positionAt(source, one.pos), detail: `The program is not valid TypeScript: ${sentence(one.text)}` };
    }
    const { line, column } = positionAt(source, one.pos);
    return {
      ...positionAt(source, opening.at),
      detail: `The program is not valid TypeScript: ${opening.words} is missing at line ${line}, column ${column}.`,
    };
  });
}

export function positionAt(source: string, offset: number): Position {
  const before = source.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

interface Opening {
  at: number;
  /** What is not closed and by what, as the beginning of a sentence. */
  words: string;
}

function openingOf(source: string, { pos, code, relatedInformation = [] }: SyntaxFound): Opening | undefined {
  if (code === UNTERMINATED_COMMENT) {
    const at = source.indexOf('/*', source.lastIndexOf('*/') + 1);
    return at === -1 ? undefined : { at, words: 'the comment is not closed; `*/`' };
  }
  if (code === UNTERMINATED_TEMPLATE) {
    const at = source.lastIndexOf('`', pos);
    return at === -1 ? undefined : { at, words: 'the template is not closed; a backtick' };
  }
  for (const { pos: at, text } of relatedInformation) {
    const [, close, opened] = /find a '(.)' to match the '(.)' token/.exec(text) ?? [];
    if (close !== undefined) return { at, words: `\`${opened}\` is not closed; \`${close}\`` };
  }
  return undefined;
}

function sentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}
