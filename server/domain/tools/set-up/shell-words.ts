/** A word of a command line, or an operator between words; a new line is the operator `\n`. */
export type ShellWord = { text: string; operator?: undefined } | { operator: string; text?: undefined };

const PART =
  /([ \t\r]+|[\\`^]\r?\n)|(\n)|'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([\s'"$&|;<>()#*?!~`{}[\]=%\\])|(<[A-Za-z][^<>\n]{0,80}>)|([^\s'"\\<]+|[\\<])/y;
const OPERATOR = /^(?:\||\|\||\|&|&&|&|;|<|(?:\d|&)?>{1,2}\S{0,200}|<(?:[/.~]\S{0,200}|<\S{0,200}))$/;

/**
 * The words of command lines: blanks separate them, quotes and backslashes keep blanks, `#` begins a comment. Nothing
 * is expanded. A backslash before a letter stays, as in a path of Windows. Undefined for a quote that is not closed.
 */
export function shellWords(text: string): ShellWord[] | undefined {
  const words: ShellWord[] = [];
  const part = new RegExp(PART);
  let word: string | undefined;
  let isQuoted = false;
  /** The `;` or `&&` at the end of a word stands behind the quotes of it. */
  let endsCommand = false;
  const end = (): void => {
    if (word !== undefined) words.push(...operatorsIn(word, isQuoted, endsCommand));
    word = undefined;
    isQuoted = false;
  };
  while (part.lastIndex < text.length) {
    if (word === undefined && text[part.lastIndex] === '#') {
      const line = text.indexOf('\n', part.lastIndex);
      if (line === -1) break;
      part.lastIndex = line;
    }
    const found = part.exec(text);
    if (found === null) return undefined;
    const [, blank, line, single, double, escaped, placeholder, plain] = found;
    if (blank !== undefined) end();
    else if (line !== undefined) {
      end();
      words.push({ operator: '\n' });
    } else {
      isQuoted ||= single !== undefined || double !== undefined;
      const inner = single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? escaped ?? placeholder ?? plain ?? '';
      word = `${word ?? ''}${inner}`;
      endsCommand = plain !== undefined && /(?:;|&&)$/.test(plain);
    }
  }
  end();
  return words;
}

function operatorsIn(word: string, isQuoted: boolean, endsCommand: boolean): ShellWord[] {
  if (!isQuoted && OPERATOR.test(word)) return [{ operator: word }];
  const [mark] = endsCommand && word.length > 2 ? (/(?:;|&&)$/.exec(word) ?? []) : [];
  if (mark !== undefined) return [{ text: word.slice(0, -mark.length) }, { operator: mark }];
  return [{ text: word }];
}
