/** Characters that control a terminal or change the direction of text, except tab and line feed. */
const STEERING = /(?![\t\n])[\p{Cc}\p{Bidi_Control}]/gu;

/**
 * A text of others (names and messages of tools, models, files and providers) as it may stand in a message: characters
 * that would change how the message is read are written as `\uXXXX`, which means the same inside JSON.
 */
export function harmless(text: string): string {
  return text.replaceAll(STEERING, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
