// Adds types to the untyped parameters of a program's exported functions, for completion.

/** The properties of TypeScript's nodes that are used here. */
interface Node {
  kind: number;
  pos: number;
  end: number;
  text?: string;
  name?: Node;
  type?: Node;
  questionToken?: Node;
  dotDotDotToken?: Node;
  initializer?: Node;
  expression?: Node;
  modifiers?: readonly Node[];
  parameters?: readonly Node[];
  declarationList?: { declarations: readonly Node[] };
  isExportEquals?: boolean;
}

export interface TypeScript {
  createSourceFile: (name: string, text: string, target: number) => { statements: readonly Node[] };
  SyntaxKind: Readonly<Record<string, number>>;
}

export interface TypedProgram {
  text: string;
  /** The offset in the typed text for an offset in the source. */
  typedOffset: (offset: number) => number;
  /** The offset in the source for an offset in the typed text. */
  sourceOffset: (offset: number) => number;
}

/** The types of the parameters, by export name. */
const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  default: ['Input'],
  evolve: ['State', 'PlaybookEvent'],
  answer: ['State', 'Input'],
};

interface Insertion {
  at: number;
  text: string;
}

/** Works for incomplete programs, too. */
export function typedProgram(typescript: TypeScript, source: string): TypedProgram {
  const { statements } = typescript.createSourceFile('program.ts', source, 99);
  const insertions = statements
    .flatMap((statement) => exported(statement, typescript.SyntaxKind))
    .flatMap(([name, made]) => insertionsFor(made, PARAMETERS[name] ?? [], source))
    .toSorted((a, b) => a.at - b.at);
  let text = '';
  let from = 0;
  for (const { at, text: inserted } of insertions) {
    text += source.slice(from, at) + inserted;
    from = at;
  }
  return {
    text: text + source.slice(from),
    typedOffset: (offset) =>
      insertions.reduce((sum, { at, text: inserted }) => (at < offset ? sum + inserted.length : sum), offset),
    sourceOffset(offset) {
      let before = 0;
      for (const { at, text: inserted } of insertions) {
        if (at + before >= offset) break;
        before += Math.min(inserted.length, offset - at - before);
      }
      return offset - before;
    },
  };
}

/** The functions that a statement exports, by name. */
function exported(statement: Node, kinds: TypeScript['SyntaxKind']): (readonly [name: string, made: Node])[] {
  const has = (kind: number | undefined): boolean => statement.modifiers?.some((one) => one.kind === kind) === true;
  if (statement.isExportEquals !== true && statement.kind === kinds['ExportAssignment']) {
    return statement.expression?.parameters === undefined ? [] : [['default', statement.expression]];
  }
  if (!has(kinds['ExportKeyword'])) return [];
  if (statement.parameters !== undefined) {
    return [[has(kinds['DefaultKeyword']) ? 'default' : (statement.name?.text ?? ''), statement]];
  }
  return (statement.declarationList?.declarations ?? []).flatMap(({ name, initializer }) =>
    initializer?.parameters === undefined ? [] : [[name?.text ?? '', initializer] as const],
  );
}

function insertionsFor(made: Node, types: readonly string[], source: string): Insertion[] {
  return (made.parameters ?? []).flatMap((parameter, index): Insertion[] => {
    const { name, type, dotDotDotToken, questionToken } = parameter;
    const named = types[index];
    if (named === undefined || name === undefined || type !== undefined || dotDotDotToken !== undefined) return [];
    const at = questionToken?.end ?? name.end;
    if (source.slice(made.pos, name.pos).includes('(')) return [{ at, text: `: ${named}` }];
    // The only parameter of an arrow function, without parentheses.
    const begins = name.end - (name.text ?? '').length;
    return [
      { at: begins, text: '(' },
      { at, text: `: ${named})` },
    ];
  });
}
