// What TypeScript finds, in words for the author of a program: without advice for projects that a program is not.

/** What this needs of a diagnostic. */
export interface Diagnosed {
  text: string;
  messageChain?: readonly Diagnosed[] | undefined;
}

/** A mistake in the program's own text. */
export function mistakeWords({ text }: Diagnosed): string {
  const ofEvent = /^Property '(\w+)' does not exist on type 'PlaybookEvent'/.exec(text)?.[1];
  if (ofEvent !== undefined) return `${sentence(text)} ${eventWords(ofEvent)}`;
  const [said = text, advice] = text.split(/ (?=Do you need to |Try changing |Try `npm )/);
  const words = sentence(said);
  return advice === undefined ? words : `${words} A program does not have it; the guide of its type says what it has.`;
}

const OF_PUBLISHED = ['data', 'source', 'subject', 'time', 'type'];

/** Where a recall function finds what it looked for in the wrong place. */
function eventWords(property: string): string {
  return OF_PUBLISHED.includes(property)
    ? `What was published stands under \`event\`: write \`event.event.${property}\`, where \`event.kind\` is "event".`
    : '`event.kind` says what the event is about, and the guide `recall` describes the fields of each kind.';
}

/**
 * What does not fit the program's schemas, down to the field that does not.
 * @param what "The output" or "The parameter", as it is called in the sentence
 * @param schema the export whose type it should have
 */
export function misfitWords(diagnosed: Diagnosed, what: string, schema: string): string {
  const fields: string[] = [];
  let last = diagnosed;
  for (let next = last.messageChain?.[0]; next !== undefined; next = next.messageChain?.[0]) {
    const field = /^Types of property '(.+)' are incompatible\.$/.exec(next.text)?.[1];
    if (field !== undefined) fields.push(bare(field));
    last = next;
  }
  const place = fields.length === 0 ? what : `${what} at \`${fields.join('.')}\``;
  const [, lacked] = /^Property '(.+)' is missing in type /.exec(last.text) ?? [];
  if (lacked !== undefined) return `${place} lacks the field \`${bare(lacked)}\`, which \`${schema}\` requires.`;
  const several = lackedFields(last.text);
  if (several !== undefined) return `${place} lacks the fields ${several}, which \`${schema}\` requires.`;
  return `${place} does not match \`${schema}\`: ${sentence(last.text)}`;
}

/** Those of "Type X is missing the following properties from type Y: a, b". A type may be long, and have any text in it. */
function lackedFields(text: string): string | undefined {
  const isMissing = text.startsWith('Type ') && text.includes(' is missing the following properties from type ');
  const end = text.lastIndexOf(': ');
  return isMissing && end !== -1 ? text.slice(end + 2) : undefined;
}

/** The name of a property, which stands in quotes where the schema's type quotes it. */
function bare(name: string): string {
  return name.replace(/^"(.*)"$/, '$1');
}

function sentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}
