import type { ToolServer } from '../../settings/index.ts';

/** Whether the operator allows the tool on its server's entry; `*` stands for any part of a name, an empty one too. */
export function isAllowed({ allowed }: ToolServer, tool: string): boolean {
  return allowed === undefined || allowed.some((form) => fits(form, tool));
}

/** What the entry allows and none of the tools is named by. */
export function idleForms({ allowed = [] }: ToolServer, tools: readonly string[]): string[] {
  return allowed.filter((form) => !tools.some((tool) => fits(form, tool)));
}

/** The first part begins the name, the last ends it, and the others come between in their order. */
function fits(form: string, name: string): boolean {
  const [first = '', ...others] = form.split('*');
  const last = others.pop();
  if (last === undefined) return form === name;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}

/** The order of texts by their code units, the same everywhere. */
export function compareNames(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
