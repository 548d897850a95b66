import { readdirSync, readFileSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../../test/index.ts';
import { createValidator } from './validator.ts';

const VALID = {
  document: { dsl: '1.0.3', namespace: 'club', name: 'wait', version: '1.0.0' },
  do: [{ pause: { wait: 'PT1S' } }],
};
const INVALID = { document: { ...VALID.document, version: '1' }, do: [{ pause: { wait: 5 } }, { '😀': {} }] };

test('what is loaded from a folder reports what was reported when it was compiled, and a file that is cut off is replaced', () => {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const kept = (): Buffer => readFileSync(path.join(folder.path, ...readdirSync(folder.path)));
  const reported = (): unknown[] => {
    const validate = createValidator(folder.path);
    const isValid = validate(VALID);
    return [isValid, validate(INVALID), structuredClone(validate.errors)];
  };

  const compiled = reported();
  expect(compiled).toMatchObject([
    true,
    false,
    expect.arrayContaining([expect.objectContaining({ keyword: 'format' })]),
  ]);
  const file = kept();
  expect(reported()).toEqual(compiled);
  expect(kept().equals(file)).toBe(true);

  truncateSync(path.join(folder.path, ...readdirSync(folder.path)), 1_000);
  expect(reported()).toEqual(compiled);
  // The code has 2.5 MB. What V8 made of it has as much only if each function was compiled.
  expect(kept().length).toBeGreaterThan(5_000_000);
});

test('a folder that cannot be created keeps nothing, and is no error', () => {
  expect(createValidator('/dev/null/schemas')(VALID)).toBe(true);
});
