/** Writes a result on stdout: data as JSON where that was asked for, else words. */
export function show(options: { json?: boolean | undefined }, data: unknown, words: () => string): void {
  process.stdout.write(`${options.json === true ? JSON.stringify(data) : words()}\n`);
}

/** Tells how the work goes, on stderr. */
export function progress(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
