// Pieces of the words for steps.

/** A text of the document as Markdown shows it: short, on one line. */
export function shown(value: unknown): string {
  const text = String(value).replaceAll('`', "'").replaceAll(/\s+/g, ' ').trim();
  return `\`${text.length > 80 ? `${text.slice(0, 79)}…` : text}\``;
}

export function thenWords(then: string): string {
  switch (then) {
    case 'continue':
      return 'on';
    case 'exit':
      return 'out of this list';
    case 'end':
      return 'the end';
    default:
      return shown(then);
  }
}
