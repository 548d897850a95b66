// What an installed npm package says about itself and its license.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface LicensedPackage {
  name: string;
  version: string;
  /** An SPDX expression; undefined if its package.json names none. */
  license: string | undefined;
  /** Its license files and notices; empty if it has none. */
  text: string;
  /** Empty if its package.json names nobody. */
  author: string;
  /** Its folder, relative to the root of the repository; the same version may be in others as well. */
  folder: string;
  /** Whether npm installs it on some platforms only. */
  isOfPlatform: boolean;
}

interface PackageJson {
  name: string;
  version: string;
  license?: string | { type: string };
  licenses?: { type: string }[];
  author?: string | { name: string };
  os?: string[];
}

const LEGAL_FILE = /^(?:licen[cs]e|copying|notice|third-?party-?notice)/i;

/** @param folder its folder, relative to the root of the repository */
export function readPackage(folder: string): LicensedPackage {
  const file = path.join(ROOT, folder, 'package.json');
  const { name, version, license, licenses, author, os } = JSON.parse(readFileSync(file, 'utf8')) as PackageJson;
  return {
    name,
    version,
    folder,
    license: typeof license === 'object' ? license.type : (license ?? licenses?.map(({ type }) => type).join(' OR ')),
    text: legalText(path.join(ROOT, folder)),
    author: typeof author === 'object' ? author.name : (author ?? ''),
    isOfPlatform: os !== undefined,
  };
}

function legalText(folder: string): string {
  const files = readdirSync(folder, { withFileTypes: true }).filter((one) => one.isFile() && LEGAL_FILE.test(one.name));
  return files
    .map(({ name }) => readFileSync(path.join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim())
    .join('\n\n');
}
