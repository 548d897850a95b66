/** The first line of a message that has text, without Markdown, for lists. */
export function firstLine(message: string | undefined): string | undefined {
  const line = message?.split('\n').find((one) => /[\p{L}\p{N}]/u.test(one));
  return line
    ?.replace(/^\s*(?:[>#*-]+\s+)*/, '')
    .replaceAll(/\*\*|__|`/g, '')
    .trim();
}
