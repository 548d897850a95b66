import { fileURLToPath } from 'node:url';

/** The program that tests start as a process: the bundle that the script of the tests built, or the sources. */
export const SERVER_PROGRAM = process.env['CUEBOOK_PROGRAM'] ?? fileURLToPath(new URL('../main.ts', import.meta.url));
