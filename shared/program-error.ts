// The error of a program, as the detail of a run has it: "Line 4, column 20: The program threw Error: Too low."

export interface ProgramError {
  /** The program's own message: "Error: Too low." The whole detail where it is of no program. */
  message: string;
  /** Where it was thrown, from 1; absent where the stack names no place. */
  at?: { line: number; column: number };
  /** The definition that a workflow called, as TYPE/NAME, where the error is of its program. */
  called?: string;
}

const DETAIL =
  /^(?:unworkable: )?(?:([a-z]+\/[a-z0-9-]+): )?(?:Line (\d+), column (\d+): )?(The program threw )?(.*)$/s;

export function programErrorOf(detail: string): ProgramError {
  const [, called, line, column, threw, message = detail] = DETAIL.exec(detail) ?? [];
  if (line === undefined && threw === undefined) return { message: detail };
  return {
    message,
    ...(line === undefined ? {} : { at: { line: Number(line), column: Number(column) } }),
    ...(called === undefined ? {} : { called }),
  };
}

/** The detail with a program's message first and its place behind it: "Error: Too low (line 4, column 20)." */
export function messageFirst(detail: string): string {
  const { message, at, called } = programErrorOf(detail);
  const place = at === undefined ? [] : [`line ${at.line}, column ${at.column}`];
  const where = [...place, ...(called === undefined ? [] : [called])].join(' of ');
  return where === '' ? message : `${message.replace(/\.$/, '')} (${where}).`;
}
