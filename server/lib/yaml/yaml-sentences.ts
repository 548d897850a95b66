import type { YAMLError } from 'yaml';

export const TOO_DEEP = 'The document is nested too deeply to be read; write it with fewer levels.';

/** How the sentence begins for what the parser did not expect; what it reports after that is mostly a consequence. */
export const UNREADABLE = 'This cannot be parsed';

/** What is wrong with a text as YAML, and what to write instead. */
export function yamlSentence({ code, message }: YAMLError): string {
  // The parser recurses, and reports that as an error of the text.
  if (/call stack|regular expression/i.test(message)) return TOO_DEEP;
  switch (code) {
    case 'TAG_RESOLVE_FAILED':
      return 'Tags (`!name`) are not supported; write the value without the tag.';
    case 'NON_STRING_KEY':
      return 'A key must be a string; put it in quotes.';
    case 'TAB_AS_INDENT':
      return 'Indent lines with spaces, not tabs; write two spaces for each level.';
    case 'MULTIPLE_DOCS':
      return 'A second document begins here (`---`); a source contains only one.';
    case 'BAD_SCALAR_START':
      return 'A string that begins with this character needs quotes.';
    case 'BLOCK_AS_IMPLICIT_KEY':
    case 'MULTILINE_IMPLICIT_KEY':
      return 'A second `: ` on one line is not valid; put quotes around the string, or indent the nested value below.';
    case 'BAD_INDENT':
    case 'BLOCK_IN_FLOW':
      return 'The indentation is wrong here; align the line with the other lines of the same object or list, and close open brackets and quotes.';
    case 'MISSING_CHAR':
      return `A character is missing here (${plain(message)}); add it, or put quotes around the string.`;
    case 'UNEXPECTED_TOKEN':
      return `${UNREADABLE} (${plain(message)}); a text with \`{\`, \`}\`, \`: \` or \`#\` in it needs quotes, as in \`{ all: '\${ .items }' }\`.`;
    default:
      return `This is not valid YAML (${plain(message)}).`;
  }
}

function plain(message: string): string {
  const [first = ''] = message.split('\n');
  return `${first.charAt(0).toLowerCase()}${first.slice(1, 160)}`.replace(/[.;]$/, '');
}
