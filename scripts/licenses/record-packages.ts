// A plugin of Vite that writes down which npm packages a bundle contains, for the list of licenses and the SBOM, and their license
// texts, which ship with the bundle. Vite's own `build.license` does not read workers, which contain most of the editor.
import type { Plugin, Rolldown } from 'vite';
import { licenseTexts, TEXTS } from './license-texts.ts';
import { readPackage } from './read-package.ts';

/** Where it is written, in the folder of the bundle. Nothing in `.vite` is shipped. */
export const RECORD = '.vite/packages.json';

/** The innermost package of a file, from the first `node_modules` on, which may be a link to another place. */
const PACKAGE = /(?<=[\\/])node_modules[\\/](?:.*[\\/]node_modules[\\/])?(?:@[^\\/]+[\\/])?[^\\/]+(?=[\\/])/;

/** @returns the folder of the package relative to the root of the repository, undefined for a module of Cuebook's own */
export function packageOf(moduleId: string): string | undefined {
  const [folder] = PACKAGE.exec(moduleId.replaceAll('\0', '')) ?? [];
  return folder?.replaceAll('\\', '/');
}

export interface PackageRecorder {
  /** For the build: it writes the list and the texts, which contain the packages of its workers. */
  inBuild: Plugin;
  /** For each worker, which Vite bundles by itself. */
  inWorker: () => Plugin;
}

/**
 * @param beside folders of packages that are installed beside the bundle; the texts contain the licenses of those without a
 * license file
 */
export function createPackageRecorder(beside: readonly string[] = []): PackageRecorder {
  const found = new Set<string>();
  const record = (bundle: Rolldown.OutputBundle, loaded: Iterable<string>): void => {
    const inChunks = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
    // Styles are files of their own, and in no chunk.
    const styles = [...loaded].filter((id) => /\.css(?:\?|$)/.test(id));
    for (const id of [...inChunks, ...styles]) {
      const folder = packageOf(id);
      if (folder !== undefined) found.add(folder);
    }
  };
  return {
    inWorker: () => ({
      name: 'record-packages-of-worker',
      generateBundle(_, bundle) {
        record(bundle, this.getModuleIds());
      },
    }),
    inBuild: {
      name: 'record-packages',
      generateBundle(_, bundle) {
        record(bundle, this.getModuleIds());
        const folders = [...found].toSorted();
        this.emitFile({ type: 'asset', fileName: RECORD, source: JSON.stringify(folders, null, 2) });
        this.emitFile({
          type: 'asset',
          fileName: TEXTS,
          source: licenseTexts(folders.map(readPackage), beside.map(readPackage)),
        });
      },
    },
  };
}
