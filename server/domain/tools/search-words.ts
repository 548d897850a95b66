// How well tools fit the words of a search. A word of the tool's name scores 3, of an argument's name 2, of the
// description 1; scores add up over words and parts.
import { KIB } from '../../../shared/product.ts';
import { harmless } from '../../lib/harmless.ts';
import type { ListedTool } from './server.ts';

/** Characters of a description that are searched, and in which its first sentence is looked for: some 10 ms of work. */
const MOST_SEARCHED = 64 * KIB;

export function scoreOf(tool: ListedTool, terms: readonly string[]): number {
  const name = new Set(wordsOf(tool.name));
  const args = new Set(tool.argumentNames().flatMap(wordsOf));
  const description = new Set(
    tool.description
      .slice(0, MOST_SEARCHED)
      .split(/[^\p{L}\p{N}_.-]+/u)
      .flatMap(wordsOf),
  );
  let score = 0;
  for (const word of new Set(terms.flatMap(wordsOf))) {
    if (name.has(word)) score += 3;
    if (args.has(word)) score += 2;
    if (description.has(word)) score += 1;
  }
  return score;
}

/** The word itself and its parts, in lower case: `_`, `.`, `-` and changes of case divide it. */
export function wordsOf(text: string): string[] {
  const parts = text
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[\s_.-]+/);
  return [...new Set([text, ...parts].map((part) => part.toLowerCase()))].filter((part) => part !== '');
}

const MOST_SUMMARY = 300;

/** The first sentence of a description, at most 300 characters. */
export function summaryOf(description: string): string {
  const text = harmless(description.slice(0, MOST_SEARCHED).replaceAll(/\s+/g, ' ').trim());
  const sentence = /^.*?[.!?](?=\s|$)/u.exec(text)?.[0] ?? text;
  const characters = Array.from(sentence);
  return characters.length <= MOST_SUMMARY ? sentence : characters.slice(0, MOST_SUMMARY).join('');
}
