import { createRequire } from 'node:module';
import path from 'node:path';

/**
 * The compiler's own program, where this module stands in the desktop app's archive: the system starts no program from
 * inside of it, and the same files stand beside it. Undefined: TypeScript finds it by itself.
 */
export function compilerBesideArchive(url: string = import.meta.url): string | undefined {
  if (!url.includes('/app.asar/')) return undefined;
  const typescript = createRequire(url).resolve('typescript/package.json');
  const native = `@typescript/typescript-${process.platform}-${process.arch}/package.json`;
  const folder = path.dirname(createRequire(typescript).resolve(native)).replace('app.asar', 'app.asar.unpacked');
  return path.join(folder, 'lib', process.platform === 'win32' ? 'tsc.exe' : 'tsc');
}
