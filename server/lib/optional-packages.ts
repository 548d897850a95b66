// Packages that not every installation needs: the optional peers in package.json. They are loaded when they are needed.
import { createRequire } from 'node:module';

const { resolve } = createRequire(import.meta.url);

/** Those of the packages that are not installed. */
export function missingPackages(names: readonly string[]): string[] {
  return names.filter((name) => {
    try {
      resolve(`${name}/package.json`);
      return false;
    } catch (error) {
      // A package that exports only modules, or not its package.json, is there.
      return error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND';
    }
  });
}

/** How to add packages that are missing, as a sentence. */
export function howToInstall(names: readonly string[]): string {
  // No script of theirs is needed; that of onnxruntime-node would download 300 MB for graphics cards.
  return `Run \`npm install --ignore-scripts ${names.join(' ')}\` where Cuebook is installed, then restart Cuebook.`;
}
