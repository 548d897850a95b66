/** A page of the reference, with its path in `docs/reference`. */
export interface ReferencePage {
  file: string;
  markdown: string;
}

const GENERATED = '<!-- Made by `npm run docs:reference`; do not edit. -->';

/** A page of its parts, with an empty line between them. */
export function page(file: string, title: string, ...parts: readonly (string | readonly string[])[]): ReferencePage {
  return { file, markdown: `${[GENERATED, `# ${title}`, ...parts.flat()].join('\n\n')}\n` };
}

/** Empty if there are no rows. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [[line(header), `|${'---|'.repeat(header.length)}`, ...rows.map(line)].join('\n')];
}

function cell(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ').replaceAll('|', '\\|');
}

export function code(text: string): string {
  return `\`${text}\``;
}

export function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}
