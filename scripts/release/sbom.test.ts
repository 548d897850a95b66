import { Validation } from '@cyclonedx/cyclonedx-library';
import { expect, test } from 'vitest';
import type { ShippedPackage } from '../licenses/shipped-packages.ts';
import { lockedPackages, sbom, SPEC } from './sbom.ts';

const fastify: ShippedPackage = {
  name: 'fastify',
  version: '5.12.8',
  license: 'MIT',
  text: 'MIT License',
  author: 'Matteo Collina',
  folder: 'node_modules/fastify',
  isOfPlatform: false,
  parts: ['server'],
};
const scoped: ShippedPackage = {
  ...fastify,
  name: '@scope/tool',
  version: '1.0.0-beta+1',
  license: '(AFL-2.1 OR BSD-3-Clause)',
  author: '',
  folder: 'node_modules/@scope/tool',
  parts: ['optional'],
};
const options = { version: '1.2.3', shipped: [fastify, scoped], locked: lockedPackages() };

test('the bill is valid CycloneDX, and the validator refuses one that is not', async () => {
  const validator = new Validation.JsonStrictValidator(SPEC.version);
  const bill = sbom(options);
  expect(await validator.validate(bill)).toBeNull();
  expect(await validator.validate(bill.replace('"library"', '"libary"'))).not.toBeNull();
});

test('it lists each package with its address, license, checksum and part', () => {
  const bill = JSON.parse(sbom(options));
  expect(bill.metadata.component).toMatchObject({ name: 'cuebook', version: '1.2.3', type: 'application' });
  expect(bill.components).toMatchObject([
    {
      name: 'tool',
      group: '@scope',
      purl: 'pkg:npm/%40scope/tool@1.0.0-beta%2B1',
      scope: 'optional',
      licenses: [{ expression: '(AFL-2.1 OR BSD-3-Clause)' }],
      properties: [{ name: 'cuebook:part', value: 'optional' }],
    },
    {
      name: 'fastify',
      purl: 'pkg:npm/fastify@5.12.8',
      scope: 'required',
      licenses: [{ license: { id: 'MIT' } }],
      hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
    },
  ]);
  expect(bill.dependencies).toContainEqual({
    ref: 'cuebook@1.2.3',
    dependsOn: ['@scope/tool@1.0.0-beta+1', 'fastify@5.12.8'],
  });
});

test('the same packages give the same text', () => {
  expect(sbom({ ...options, shipped: [scoped, fastify] })).toBe(sbom(options));
});
