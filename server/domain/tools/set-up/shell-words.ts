/**
 * The words of a command line: blanks separate them, quotes and backslashes keep blanks. Nothing is expanded. Undefined
 * for a quote that is not closed.
 */
export function shellWords(line: string): string[] | undefined {
  const words: string[] = [];
  const part = /([ \t\r\n]+|\\\r?\n)|'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])|([^\s'"\\]+)/y;
  let word: string | undefined;
  while (part.lastIndex < line.length) {
    const found = part.exec(line);
    if (found === null) return undefined;
    const [, blank, single, double, escaped, plain] = found;
    if (blank !== undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = `${word ?? ''}${single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? escaped ?? plain ?? ''}`;
  }
  return word === undefined ? words : [...words, word];
}
