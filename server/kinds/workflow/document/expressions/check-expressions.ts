import { nearestName } from '../../../../../shared/nearest-name.ts';
import { wholeExpression } from '../../../../lib/jq/index.ts';
import { type Findings, MOST_FINDINGS } from '../../../../lib/yaml/index.ts';
import { code } from '../schema/sentences.ts';
import type { DocumentContext } from '../check-context.ts';
import type { Walk } from '../walk.ts';
import { ARGUMENTS, type EvaluatedText, withoutStrings } from './evaluated-text.ts';
import { textsOf } from './texts.ts';

/** Expressions that are looked at side by side. */
const AT_ONCE = 16;

/** Whether each expression can be read, with the variables that are bound where it stands. */
export async function checkExpressions(
  walked: Walk,
  { checkExpression }: Pick<DocumentContext, 'checkExpression'>,
  findings: Findings,
): Promise<void> {
  const { document } = walked;
  if (document.evaluate?.language !== undefined && document.evaluate.language !== 'jq') {
    findings.error('/evaluate/language', 'Expressions are written in jq; write `jq`, or leave `language` out.');
    return;
  }
  const expressions: Expression[] = [];
  for (const found of textsOf(walked)) {
    const inner = wholeExpression(found.text);
    if (inner !== undefined || found.form === 'bare') expressions.push({ ...found, text: inner ?? found.text });
    else if (found.text.includes('${')) warnOfMixture(found, findings);
  }
  const looked = new Map<string, Promise<string | undefined>>();
  const lookAt = ({ text, variables }: Expression): Promise<string | undefined> => {
    // White space is no expression, and what reads jq would take it for `.`.
    if (text.trim() === '') return Promise.resolve('The expression is empty; write `.` for the input itself.');
    const key = JSON.stringify([text, [...variables].toSorted()]);
    const known = looked.get(key) ?? checkExpression(text, variables);
    looked.set(key, known);
    return known;
  };
  for (let from = 0; from < expressions.length && findings.issues.length < MOST_FINDINGS; from += AT_ONCE) {
    const some = expressions.slice(from, from + AT_ONCE);
    const faults = await Promise.all(some.map(lookAt));
    for (const [index, expression] of some.entries()) {
      const fault = faults[index];
      if (fault !== undefined) findings.error(expression.pointer, `${asSentence(fault)}${hintOf(expression, fault)}`);
    }
  }
  const secrets = new Set(document.use?.secrets ?? []);
  for (const expression of expressions) warnOfSecrets(expression, secrets, findings);
}

/** A text that is evaluated, without its `${ }`. */
type Expression = Omit<EvaluatedText, 'form'>;

function warnOfMixture({ pointer, text }: EvaluatedText, findings: Findings): void {
  const start = text.indexOf('${');
  const detail =
    start === 0 || text.trim().startsWith('${')
      ? 'Nothing may follow the `}` of an expression.'
      : '`${ }` inside other text is not evaluated.';
  findings.warn(pointer, `${detail} Write the whole text as one expression, for example \${ "Hello \\(.name)" }.`);
}

function asSentence(fault: string): string {
  const text = fault.trim().replace(/^jq\b/, 'The expression is not valid: jq');
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

function hintOf({ text, variables }: Expression, fault: string): string {
  if (text.includes('${'))
    return ' A string can contain only one `${ }`; join values inside it, for example ${ "\\(.a) \\(.b)" }.';
  if (/^[A-Za-z_][\w-]*$/.test(text.trim())) {
    return ` For the text itself, write '\${ "${text.trim()}" }'; for a field of the input, \`.${text.trim()}\`.`;
  }
  const missing = UNDEFINED.exec(fault)?.[1];
  if (missing === undefined) return fault.includes('syntax error') ? operatorHint(text) : '';
  const near = nearestVariable(missing, variables);
  if (near !== undefined) return ` Did you mean ${code(`$${near}`)}?`;
  const shown = [...variables].map((name) => `$${name}`).join(', ');
  const meant = ARGUMENTS.includes(missing) ? missing : nearestVariable(missing, ARGUMENTS);
  const unavailable = meant === undefined ? 'The' : `${code(`$${meant}`)} is not available here; the`;
  return ` ${unavailable} available variables are ${shown}.`;
}

/** Operators of other languages. */
const OPERATORS: readonly [RegExp, string][] = [
  [/&&/, '`and` for `&&`'],
  [/\|\|/, '`or` for `||`'],
  [/\?\?/, '`//` for `??`'],
  [/===/, '`==` for `===`'],
  [/!==/, '`!=` for `!==`'],
  [/!(?!=)/, '`| not` behind the value for `!`'],
  [/[^?]\?[^?]+:/, '`if ... then ... else ... end` for `? :`'],
];

function operatorHint(text: string): string {
  const bare = withoutStrings(text);
  const found = OPERATORS.filter(([form]) => form.test(bare)).map(([, words]) => words);
  return found.length === 0 ? '' : ` In jq, write ${found.join(', and ')}.`;
}

const UNDEFINED = /\$([A-Za-z_]\w*) is not defined/;

/** The variable that was probably meant: one with almost the same name, or the only one that the name shortens. */
function nearestVariable(name: string, variables: readonly string[]): string | undefined {
  const near = nearestName(name, variables);
  if (near !== undefined || name.length < 2) return near;
  const shortened = variables.filter((variable) => variable.startsWith(name.charAt(0)) && isShortFor(name, variable));
  return shortened.length === 1 ? shortened[0] : undefined;
}

/** Whether the letters of a name stand in another one in their order. */
function isShortFor(name: string, variable: string): boolean {
  let at = -1;
  return Array.from(name).every((letter) => {
    at = variable.indexOf(letter, at + 1);
    return at !== -1;
  });
}

const SECRET = /\$secrets\s*(?:\.\s*(?:([A-Za-z_]\w*)|(?:\[\s*)?"([^"\\]+)")|\[\s*"([^"\\]+)")/g;

function warnOfSecrets({ pointer, text }: Expression, secrets: ReadonlySet<string>, findings: Findings): void {
  for (const [, ...names] of text.matchAll(SECRET)) {
    const name = names.find((one) => one !== undefined) ?? '';
    if (secrets.has(name)) continue;
    findings.warn(
      pointer,
      `The secret ${code(name)} is not listed in \`use.secrets\`; add it, so that a missing secret is reported by name.`,
    );
  }
}
