import { expect, test } from 'vitest';
import { howToInstall, missingPackages } from './optional-packages.ts';

test('packages that are installed are not missing, whatever they export', () => {
  const missing = missingPackages(['typescript', 'uuid', '@ai-sdk/amazon-bedrock', '@cuebook/no-such-package']);
  expect(missing).toEqual(['@cuebook/no-such-package']);
  expect(howToInstall(missing)).toBe(
    'Run `npm install --ignore-scripts @cuebook/no-such-package` where Cuebook is installed, then restart Cuebook.',
  );
});
