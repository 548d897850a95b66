// What signing the app needs from the environment. electron-builder reads all variables itself, except the contents of Apple's key.

/** The contents of Apple's key for notarization, from which a file is made: electron-builder reads a file, `APPLE_API_KEY`. */
export const APPLE_KEY_TEXT = 'APPLE_API_KEY_P8';

const NEEDED: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['CSC_LINK', 'CSC_KEY_PASSWORD', APPLE_KEY_TEXT, 'APPLE_API_KEY_ID', 'APPLE_API_ISSUER'],
  win32: ['WIN_CSC_LINK', 'WIN_CSC_KEY_PASSWORD'],
};

/** The variables that are missing. Packages for Linux are not signed; SHA256SUMS has their checksums. */
export function missingForSigning(
  platform: NodeJS.Platform,
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  return (NEEDED[platform] ?? []).filter((name) => (environment[name] ?? '') === '');
}
