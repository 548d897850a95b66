const WHOLE = /^\s*\$\{([\s\S]+)\}\s*$/;

/** The text inside a string that is wholly `${ ... }`, white space around allowed; undefined for any other string. */
export function wholeExpression(text: string): string | undefined {
  return WHOLE.exec(text)?.[1]?.trim();
}
