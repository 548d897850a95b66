import { stripTypeScriptTypes } from 'node:module';
import type { ProgramIssue } from './job.ts';

/** What is written instead of TypeScript that has no stripped form, by what the stripper calls it. */
const ALTERNATIVES: readonly (readonly [words: RegExp, instead: string])[] = [
  [
    /enum/,
    'Enums are not supported, because types are only stripped; write a constant object, or a union of strings as its type.',
  ],
  [
    /namespace|module/,
    'Namespaces are not supported, because types are only stripped; write plain functions and constants.',
  ],
  [
    /parameter property/,
    'Parameter properties are not supported, because types are only stripped; declare the field and assign it in the constructor.',
  ],
  [
    /import|export/,
    'This form of import or export is not supported; programs cannot import, and export with `export`.',
  ],
];

/**
 * Blanks the types out, so that every line and column stays where its author wrote it. Where the text `isUnreadable`,
 * no grammar of TypeScript's, the place is the stripper's own: often only where it gave up.
 */
export function stripTypes(source: string): { program: string } | { issue: ProgramIssue; isUnreadable: boolean } {
  try {
    // The stripper adds a line that names the file; the program's own lines are those before it.
    return {
      program: stripTypeScriptTypes(stripByteOrderMark(source), { mode: 'strip', sourceUrl: 'program.ts' }).replace(
        /\n\n\/\/# sourceURL=program\.ts$/,
        '',
      ),
    };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (
      !(error instanceof Error) ||
      (code !== 'ERR_INVALID_TYPESCRIPT_SYNTAX' && code !== 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX')
    ) {
      throw error;
    }
    const place = placeOf(error.stack ?? '');
    if (code === 'ERR_INVALID_TYPESCRIPT_SYNTAX') {
      const detail = `The program is not valid TypeScript: ${lowered(error.message)}.`;
      return { issue: { ...place, detail }, isUnreadable: true };
    }
    const instead = ALTERNATIVES.find(([words]) => words.test(error.message))?.[1];
    const detail = instead ?? `${error.message}; write it in a form that works without types.`;
    return { issue: { ...place, detail }, isUnreadable: false };
  }
}

/** The stack of a syntax error begins with the line's number, some lines of the source, and a line of carets. */
function placeOf(stack: string): { line: number; column: number } {
  const line = Number(/^program\.ts:(\d+)/.exec(stack)?.[1] ?? 1);
  const carets = /^([ \t]*)\^+[ \t]*$/m.exec(stack.slice(stack.indexOf('\n') + 1));
  return { line, column: (carets?.[1]?.length ?? 0) + 1 };
}

function lowered(words: string): string {
  return `${words.charAt(0).toLowerCase()}${words.slice(1)}`.replace(/\.$/, '').slice(0, 300);
}

/** The text without a byte order mark, which some editors write first: it belongs to the file and not to the program. */
export function stripByteOrderMark(source: string): string {
  return source.startsWith('\ufeff') ? source.slice(1) : source;
}
