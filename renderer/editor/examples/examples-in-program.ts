// Finds the list of examples in a program. Texts and comments are passed over; brackets are counted.

export interface ExampleList {
  /** The index of the closing bracket. */
  end: number;
  isEmpty: boolean;
  /** Whether its last item has a comma behind it. */
  hasComma: boolean;
}

/** Undefined if the program exports no examples; `unclear` if they are not a list that can be read here. */
export function examplesIn(source: string): ExampleList | 'unclear' | undefined {
  const code = withoutTexts(source);
  const head = /\bexport\s+const\s+examples\b[^=;]*=\s*/.exec(code);
  if (head === null) return undefined;
  const begin = head.index + head[0].length;
  if (code[begin] !== '[') return 'unclear';
  let depth = 0;
  for (let at = begin; at < code.length; at += 1) {
    const character = code.charAt(at);
    if ('[{('.includes(character)) depth += 1;
    if (']})'.includes(character)) depth -= 1;
    if (depth > 0) continue;
    const inside = code.slice(begin + 1, at).trimEnd();
    return { end: at, isEmpty: inside.trim() === '', hasComma: inside.endsWith(',') };
  }
  return 'unclear';
}

/** The code with comments as spaces and texts as `x`, so that each index stays. */
function withoutTexts(source: string): string {
  const TOKENS = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`/g;
  return source.replaceAll(TOKENS, (token) => (token.startsWith('/') ? ' ' : 'x').repeat(token.length));
}
