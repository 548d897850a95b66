// The bill of materials of a release (CycloneDX 1.6): every package that ships, with version, license, checksum and part.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library';
import type { ShippedPackage } from '../licenses/shipped-packages.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The version of CycloneDX; the test checks the bill against its schema. */
export const SPEC = Spec.Spec1dot6;

/** What the lock file says of a package. */
export interface LockedPackage {
  /** `sha512-` and a digest in base64. */
  integrity?: string;
}

export interface SbomOptions {
  /** The released version of Cuebook. */
  version: string;
  shipped: readonly ShippedPackage[];
  /** By the package's folder, as in package-lock.json. */
  locked: Readonly<Record<string, LockedPackage>>;
}

export function lockedPackages(): Record<string, LockedPackage> {
  const text = readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8');
  return (JSON.parse(text) as { packages: Record<string, LockedPackage> }).packages;
}

/** @returns JSON. It has no time and no serial number, so the same packages always give the same text. */
export function sbom({ version, shipped, locked }: SbomOptions): string {
  const cuebook = new Models.Component(Enums.ComponentType.Application, 'cuebook', {
    version,
    bomRef: `cuebook@${version}`,
    purl: purlOf('cuebook', version),
    licenses: new Models.LicenseRepository([new Models.SpdxLicense('Apache-2.0')]),
  });
  const components = shipped.map((one) => componentOf(one, locked[one.folder]));
  for (const component of components) cuebook.dependencies.add(component.bomRef);
  const bom = new Models.Bom({
    metadata: new Models.Metadata({ component: cuebook }),
    components: new Models.ComponentRepository(components),
  });
  const factory = new Serialize.JSON.Normalize.Factory(SPEC);
  return `${new Serialize.JsonSerializer(factory).serialize(bom, { sortLists: true, space: 2 })}\n`;
}

function componentOf(shipped: ShippedPackage, locked: LockedPackage = {}): Models.Component {
  const { name, version, license, author, parts } = shipped;
  const [group, rest] = name.startsWith('@') ? (name.split('/') as [string, string]) : [undefined, name];
  const isOptional = parts.every((part) => part === 'optional');
  const component = new Models.Component(Enums.ComponentType.Library, rest, {
    version,
    bomRef: `${name}@${version}`,
    purl: purlOf(name, version),
    scope: isOptional ? Enums.ComponentScope.Optional : Enums.ComponentScope.Required,
    ...(group === undefined ? {} : { group }),
    ...(author === '' ? {} : { author }),
  });
  if (license !== undefined) component.licenses.add(licenseOf(license));
  for (const part of parts) component.properties.add(new Models.Property('cuebook:part', part));
  const sha512 = /^sha512-(?<digest>\S+)$/.exec(locked.integrity ?? '')?.groups?.['digest'];
  if (sha512 !== undefined) {
    component.hashes.set(Enums.HashAlgorithm['SHA-512'], Buffer.from(sha512, 'base64').toString('hex'));
  }
  return component;
}

function licenseOf(license: string): Models.SpdxLicense | Models.LicenseExpression {
  return license.includes(' ') ? new Models.LicenseExpression(license) : new Models.SpdxLicense(license);
}

/** The package URL: `pkg:npm/%40scope/name@1.0.0`. */
function purlOf(name: string, version: string): string {
  return `pkg:npm/${name.split('/').map(encodeURIComponent).join('/')}@${encodeURIComponent(version)}`;
}
