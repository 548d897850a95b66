// What electron-builder.yml says for systems on which this one cannot package; e2e/desktop-package.e2e.ts packages for Linux.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string): Buffer => readFileSync(path.join(ROOT, file));

interface Platform {
  icon: string;
  target: string[];
}
const configuration = parse(read('electron-builder.yml').toString()) as {
  mac: Platform & { hardenedRuntime: boolean; entitlements: string; entitlementsInherit: string };
  win: Platform;
  linux: Platform;
  protocols: { schemes: string[] }[];
};

test('on macOS, the hardened runtime has one exception, for the program and for what it starts', () => {
  const { mac } = configuration;
  expect(mac.hardenedRuntime).toBe(true);
  expect(mac.entitlementsInherit).toBe(mac.entitlements);
  const entitlements = read(mac.entitlements).toString();
  const keys = [...entitlements.matchAll(/<key>(.+)<\/key>\s*<(.+)\/>/g)].map(([, key, value]) => [key, value]);
  expect(keys).toEqual([['com.apple.security.cs.allow-jit', 'true']]);
  // Squirrel.Mac updates from the zip; people install the dmg.
  expect(mac.target).toEqual(['dmg', 'zip']);
});

test.each(['mac', 'win'] as const)('the icon for %s is large enough for every size', (platform) => {
  const icon = read(configuration[platform].icon);
  // Width and height of a PNG (its section 11.2.2).
  expect([icon.readUInt32BE(16), icon.readUInt32BE(20)]).toEqual([1024, 1024]);
});

test('every system opens links of the app with it', () => {
  expect(configuration.protocols.flatMap(({ schemes }) => schemes)).toEqual(['cuebook']);
});
