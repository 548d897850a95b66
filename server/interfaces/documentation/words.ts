/** Whether the term begins with the word once one of its letters is added, left out, replaced or swapped with the next. */
export function beginsWithOneTypo(term: string, word: string): boolean {
  let same = 0;
  while (same < word.length && word[same] === term[same]) same += 1;
  const rest = word.slice(same);
  return (
    term.startsWith(rest, same + 1) ||
    term.startsWith(rest.slice(1), same) ||
    term.startsWith(rest.slice(1), same + 1) ||
    (rest.length > 1 && term.startsWith(`${rest[1]}${rest[0]}${rest.slice(2)}`, same))
  );
}

/** The words of a text as the index has them: letters and digits in small letters, without diacritics, each once. */
export function wordsOf(text: string): string[] {
  const folded = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return [...new Set(folded.match(/[\p{L}\p{N}\p{Co}]+/gu))];
}
