// Extension attributes: every member of an event that the standard does not name.
import type { Json } from '../../../../shared/json.ts';

/** Attributes in which the service records where an event comes from. */
const RESERVED_ATTRIBUTES = new Set([
  'causationid',
  'correlationid',
  'caller',
  'definitionversion',
  'depth',
  'calldepth',
  'calledby',
  'triggerkind',
  'triggerreference',
]);

const NAME = /^[a-z0-9]{1,20}$/;

/** CloudEvents 1.0, type Integer: a whole number of 32 bits with sign. */
const [LEAST, MOST] = [-(2 ** 31), 2 ** 31 - 1];

/** What is wrong with an extension, as ends of sentences that begin with its name; its characters are checked elsewhere. */
export function checkExtension(name: string, value: Json): string[] {
  if (RESERVED_ATTRIBUTES.has(name)) return ['is an attribute that the service fills in itself; choose another name.'];
  if (name === 'data_base64') return ['is not supported; write the content as JSON in `data`.'];
  const sentences: string[] = [];
  if (!NAME.test(name)) {
    sentences.push('is no name of an extension; write 1 to 20 lowercase letters and digits.');
  }
  if (typeof value === 'number') {
    if (!Number.isInteger(value) || value < LEAST || value > MOST) {
      sentences.push(
        `must be a 32-bit integer, as CloudEvents requires, from ${LEAST} to ${MOST}; write another number as a string.`,
      );
    }
  } else if (typeof value !== 'string' && typeof value !== 'boolean') {
    sentences.push('must be a string, a boolean or an integer; write anything else in `data`.');
  }
  return sentences;
}
