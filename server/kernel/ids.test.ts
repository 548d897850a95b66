import { expect, test } from 'vitest';
import { derivedId, derivedIdBeside } from './ids.ts';

const CALLER = '0192b3a4-5c6d-7e8f-9a0b-1c2d3e4f5a6b';
const UUID_V8 = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('an id follows from its text', () => {
  expect(derivedId('one')).toMatch(UUID_V8);
  expect(derivedId('one')).toBe(derivedId('one'));
  expect(derivedId('one')).not.toBe(derivedId('two'));
});

test('an id beside another one begins like it, and follows from its text', () => {
  const id = derivedIdBeside(CALLER, 'one');
  expect(id).toMatch(UUID_V8);
  expect(id.slice(0, 13)).toBe(CALLER.slice(0, 13));
  expect(id).toBe(derivedIdBeside(CALLER, 'one'));
  expect(id).not.toBe(derivedIdBeside(CALLER, 'two'));
});
