import { expect, test } from 'vitest';
import { requireAllowed } from './allowed-licenses.ts';
import { licensesPage } from './index.ts';
import { licenseTexts } from './license-texts.ts';
import type { LicensedPackage } from './read-package.ts';
import { packageOf } from './record-packages.ts';

const shipped = (given: Partial<LicensedPackage>): LicensedPackage => ({
  name: 'left-pad',
  version: '1.0.0',
  license: 'MIT',
  text: 'Copyright (c) Somebody',
  author: 'Somebody',
  folder: 'node_modules/left-pad',
  isOfPlatform: false,
  ...given,
});

test.each(['MIT', '(AFL-2.1 OR BSD-3-Clause)', 'MIT AND ISC AND BSD-3-Clause'])('%s is allowed', (license) => {
  expect(() => requireAllowed([shipped({ license })])).not.toThrow();
});

test.each([
  'GPL-3.0-only',
  'MIT AND GPL-2.0-only',
  'AGPL-3.0-or-later OR SSPL-1.0',
  'SEE LICENSE IN terms.txt',
  'UNLICENSED',
])('%s is refused, and so is a bundle with it', (license) => {
  const given = [shipped({}), shipped({ name: 'right-pad', license })];
  expect(() => requireAllowed(given)).toThrow(`right-pad has the license ${JSON.stringify(license)}`);
  expect(() => licenseTexts([shipped({})], given)).toThrow('use another package');
});

test('a package without a license is refused', () => {
  expect(() => requireAllowed([shipped({ license: undefined })])).toThrow('left-pad names no license');
});

test('given packages with and without license files, then the texts have each text once and the standard one', () => {
  const bundled = [
    shipped({}),
    shipped({ name: 'right-pad' }),
    shipped({ name: 'no-file', text: '', author: 'Ada' }),
    shipped({ name: 'jq-wasm' }),
  ];
  const texts = licenseTexts(bundled, [
    shipped({ name: 'installed' }),
    shipped({ name: 'bare', text: '', author: 'Bo' }),
  ]);
  expect(texts).toContain('left-pad 1.0.0 (MIT)\nright-pad 1.0.0 (MIT)\n\nCopyright (c) Somebody\n');
  expect(texts).toMatch(/no-file 1\.0\.0 \(MIT\)\n\nCopyright \(c\) Ada\n\nPermission is hereby granted/);
  expect(texts).toContain('It contains Oniguruma (BSD-2-Clause)');
  expect(texts).toMatch(
    /It contains parts of musl \(MIT\):\n\nCopyright \(c\) 2005-2020 Rich Felker, et al\.\n\nPermission/,
  );
  expect(texts).toContain('Copyright (c) Bo\n');
  expect(texts).not.toContain('installed 1.0.0');
});

test('a license without a file and without a standard text is reported', () => {
  expect(() => licenseTexts([shipped({ license: 'ISC', text: '' })], [])).toThrow('add the text of ISC');
});

test('a module belongs to the innermost package', () => {
  const root = `${import.meta.dirname}/../..`;
  expect(packageOf(`${root}/node_modules/@a/b/node_modules/c/index.js?commonjs-proxy`)).toBe(
    'node_modules/@a/b/node_modules/c',
  );
  expect(packageOf(`\0${root}/node_modules/@a/b/dist/x.js`)).toBe('node_modules/@a/b');
  expect(packageOf(`${root}/server/main.ts`)).toBeUndefined();
});

test('the page has a row per package, with the parts that contain it, and none for a platform', () => {
  const page = licensesPage([
    { ...shipped({}), parts: ['server'] },
    { ...shipped({ version: '2.0.0' }), parts: ['optional'] },
    { ...shipped({ name: 'for-linux', isOfPlatform: true }), parts: ['optional'] },
  ]);
  expect(page.split('\n').filter((line) => line.includes('MIT |'))).toEqual(['| left-pad | MIT | server, optional |']);
});
