// The error of a program, as in the detail of a run: "Line 4, column 20: The program threw Error: Too low."

export interface ProgramError {
  /** The message of the error: "Error: Too low." The whole detail if it does not come from a program. */
  message: string;
  /** Where it was thrown, from 1; absent if the stack does not say. */
  at?: { line: number; column: number };
  /** The definition that failed, as TYPE/NAME, if a workflow called it. */
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

/** The detail with the message first, followed by its location: "Error: Too low (line 4, column 20)." */
export function messageFirst(detail: string): string {
  const { message, at, called } = programErrorOf(detail);
  const location = at === undefined ? [] : [`line ${at.line}, column ${at.column}`];
  const where = [...location, ...(called === undefined ? [] : [called])].join(' of ');
  return where === '' ? message : `${message.replace(/\.$/, '')} (${where}).`;
}
