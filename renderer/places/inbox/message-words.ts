/** The first line of a message that says something, for a list: without the marks of Markdown. */
export function firstLine(message: string | undefined): string | undefined {
  const line = message?.split('\n').find((one) => /[\p{L}\p{N}]/u.test(one));
  return line
    ?.replace(/^\s*(?:[>#*-]+\s+)*/, '')
    .replaceAll(/\*\*|__|`/g, '')
    .trim();
}
