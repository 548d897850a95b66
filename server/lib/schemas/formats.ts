import type { Ajv } from 'ajv';
import { ASSERTED_FORMATS } from '../../../shared/formats.ts';

export function isAssertedFormat(format: unknown): boolean {
  return typeof format === 'string' && ASSERTED_FORMATS.has(format);
}

export function useFormats(ajv: Ajv): void {
  for (const [name, { isValid }] of ASSERTED_FORMATS) ajv.addFormat(name, isValid);
}
