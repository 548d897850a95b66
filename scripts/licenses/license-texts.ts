// The license texts that ship with a bundle. Packages without a license file get the text of their license, and programs inside a
// package that its license file does not name are added.
import { readFileSync } from 'node:fs';
import { requireAllowed } from './allowed-licenses.ts';
import { noticesInside } from './inside-packages.ts';
import type { LicensedPackage } from './read-package.ts';
import { MIT } from './texts.ts';

/** The file of a bundle that contains them. */
export const TEXTS = 'THIRD_PARTY_LICENSES.txt';
const RULE = `\n\n${'='.repeat(80)}\n\n`;
/** Cuebook's own license. */
const APACHE = new URL('../../LICENSE', import.meta.url);

/**
 * @param bundled what the bundle contains
 * @param beside what is installed beside it: packages with a license file of their own are left out
 * @throws Error if a license is not allowed, or has no text
 */
export function licenseTexts(bundled: readonly LicensedPackage[], beside: readonly LicensedPackage[]): string {
  requireAllowed([...bundled, ...beside]);
  const byText = new Map<string, Set<string>>();
  for (const one of [...bundled, ...beside.filter(({ text }) => text === '')]) {
    const text = textOf(one);
    byText.set(text, (byText.get(text) ?? new Set()).add(`${one.name} ${one.version} (${one.license})`));
  }
  return `${[...byText].map(([text, names]) => `${[...names].join('\n')}\n\n${text}`).join(RULE)}\n`;
}

function textOf({ name, version, license = '', text, author }: LicensedPackage): string {
  const own = text === '' ? standardText(license, author) : text;
  if (own === undefined)
    throw new Error(`${name} has no license file; add the text of ${license} to license-texts.ts.`);
  return [own, ...noticesInside(name, version)].join('\n\n');
}

function standardText(license: string, author: string): string | undefined {
  switch (license) {
    case 'MIT':
      return `Copyright (c) ${author === '' ? 'its authors' : author}\n\n${MIT}`;
    case 'Apache-2.0':
      return readFileSync(APACHE, 'utf8').trim();
    default:
      return undefined;
  }
}
