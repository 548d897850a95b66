// The last lines that a program wrote on stderr, as callers may see them: without what its entry holds.
//
// 1. A line is scrubbed of the entry's secrets whole, before anything of it is cut.
// 2. Callers see no value of its environment, no argument, no address and no path (`search`, rule 7 of the contract).
import { stripVTControlCharacters } from 'node:util';
import { createScrubber } from '../../../lib/scrub/index.ts';
import type { ToolServer } from '../../../settings/index.ts';

type Entry = Pick<ToolServer & { type: 'stdio' }, 'command' | 'args' | 'env' | 'secrets'>;

export interface ProgramOutput {
  add: (line: string) => void;
  /** The last lines, oldest first; empty where it wrote nothing. */
  lines: () => string[];
}

const MOST_LINES = 40;
/** Of a line, once it is scrubbed: expressions look at no more, and callers see less. */
const MOST_CHARACTERS = 1000;
const ADDRESS =
  /(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{0,20}:\/\/[^\s"'<>]*[^\s"'<>.,;:)]|(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5})?(?![\w.])/g;
const PATH = /(?<![\w@.~-])(?:[A-Za-z]:|~)?(?:[\\/][\w.@~+-]+){2,}/g;
/** Control characters, and those that change the direction of text. */
const UNSEEN = /[\p{Cc}\u200B-\u200F\u202A-\u202E\u2066-\u2069]/gu;
/** Where a program was when it failed says nothing to a caller. */
const FRAME = /^\s*(?:at .+:\d+:\d+\)?|File ".+", line \d+.*|at async .+|\^+|Node\.js v\d.*|[{}[\]],?)$/;

export function createProgramOutput(entry: Entry): ProgramOutput {
  const redacted = redactorOf(entry);
  const lines: string[] = [];
  return {
    add(line) {
      lines.push(line);
      if (lines.length > MOST_LINES) lines.shift();
    },
    lines: () =>
      lines.flatMap((line) => {
        const plain = stripVTControlCharacters(line).replaceAll(UNSEEN, ' ').trimEnd();
        const isFrame = plain.length <= MOST_CHARACTERS && FRAME.test(plain);
        return plain.trim() === '' || isFrame ? [] : [redacted(plain).trim()];
      }),
  };
}

function redactorOf({ command, args, env, secrets }: Entry): (text: string) => string {
  const values = [...Object.values(env), ...args.filter((one) => !/^--?[\w-]*$/.test(one)), command];
  // A text of several lines, such as a key, is written line by line.
  const parts = [...values, ...secrets].flatMap((value) => [
    value,
    ...value.split('\n').map((line) => line.trim()),
    afterName(value),
  ]);
  const scrubber = createScrubber(parts);
  const short = new Set(
    parts.filter((part) => part.length >= 4 && part.length < 8 && part !== command && !/^(?:true|false)$/i.test(part)),
  );
  return (text) =>
    scrubber
      .text(text)
      .slice(0, MOST_CHARACTERS)
      .replaceAll(ADDRESS, '[address]')
      .replaceAll(PATH, '[path]')
      .replaceAll(/[\w.@+-]{4,}/g, (word) => (short.has(word) ? '***' : word));
}

/** The value of `--flag=value` and `NAME=value`. */
function afterName(argument: string): string {
  return /^-{0,2}[A-Za-z][\w.-]*=/.test(argument) ? argument.slice(argument.indexOf('=') + 1) : '';
}
