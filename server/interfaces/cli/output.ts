// Everything that a command writes. Texts come from programs, playbooks and services of others, so that what steers a
// terminal is written as it would stand in JSON.

/** Characters that steer a terminal or turn the direction of a line; tab and line feed are texts' own. */
const STEERING = /(?![\t\n])[\p{Cc}\p{Bidi_Control}]/gu;

/** Writes a result on stdout: data as JSON where that was asked for, else words. */
export function show(options: { json?: boolean | undefined }, data: unknown, words: () => string): void {
  process.stdout.write(`${harmless(options.json === true ? JSON.stringify(data) : words())}\n`);
}

/** Tells how the work goes, on stderr. */
export function progress(sentence: string): void {
  process.stderr.write(`${harmless(sentence)}\n`);
}

/** The text with what steers a terminal as `\uXXXX`, which is the same text inside JSON. */
export function harmless(text: string): string {
  return text.replaceAll(STEERING, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
