import {
  Uint8ArrayReader,
  Uint8ArrayWriter,
  ZipWriter,
  type ZipWriterAddDataOptions,
} from '@zip.js/zip.js/index-native.js';
import { describe, expect, test } from 'vitest';
import { KIB, MIB } from '../../../shared/product.ts';
import { type PlaybookArchive, readArchive, WrongArchive, writeArchive } from './archive.ts';

const DESK = { playbook: 'desk', name: 'Desk: a "test"', description: 'Line one.\nLine two.' };
const ONE = { type: 'computation' as const, name: 'one', source: 'export default () => 1; // ü\r\n' };
const TWO = { type: 'reasoning' as const, name: 'two', source: '\uFEFFSay hello.\n' };
const MANIFEST = 'playbook: desk\nname: Desk\n';

type Given = [name: string, content: string | Uint8Array, options?: ZipWriterAddDataOptions];

async function zip(...files: Given[]): Promise<Uint8Array> {
  const writer = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false });
  for (const [name, content, options] of files) {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    await writer.add(name, name.endsWith('/') ? undefined : new Uint8ArrayReader(bytes), {
      ...options,
      directory: name.endsWith('/'),
    });
  }
  return writer.close();
}

async function faultsOf(archive: Uint8Array): Promise<readonly string[]> {
  const error = await readArchive(archive).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof WrongArchive)) throw new Error(`The archive was not refused: ${String(error)}`);
  return error.faults;
}

/** The archive with a name of the same length in place of another, in both headers. */
function renamed(archive: Uint8Array, from: string, to: string): Uint8Array {
  expect(to).toHaveLength(from.length);
  return Buffer.from(Buffer.from(archive).toString('latin1').replaceAll(from, to), 'latin1');
}

/** The archive with a number of its last central header changed. */
function withHeader(archive: Uint8Array, offset: number, change: (buffer: Buffer, at: number) => void): Uint8Array {
  const buffer = Buffer.from(archive);
  change(buffer, buffer.lastIndexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02])) + offset);
  return buffer;
}

describe('an archive', () => {
  test('holds the files of the folder, and gives them back byte for byte', async () => {
    const archive = await writeArchive(DESK, [ONE, TWO]);
    expect(await readArchive(archive)).toEqual({ ...DESK, definitions: [ONE, TWO], ignored: [] });
    expect(await writeArchive(DESK, [ONE, TWO])).toEqual(archive);
  });

  test('may contain the folder itself, and other files, which are ignored', async () => {
    const archive = await zip(
      ['desk/', ''],
      ['desk/playbook.yaml', MANIFEST],
      ['desk/one.computation.ts', ONE.source],
      ['desk/one.cases.jsonl', '{}'],
      ['desk/more/two.computation.ts', ONE.source],
      ['__MACOSX/desk/._one.computation.ts', 'x'],
      ['desk/gpj\u202e.exe', 'x'],
    );
    expect(await readArchive(archive)).toMatchObject({
      playbook: 'desk',
      definitions: [ONE],
      ignored: [
        'desk/one.cases.jsonl',
        'desk/more/two.computation.ts',
        '__MACOSX/desk/._one.computation.ts',
        'desk/gpj\\u202e.exe',
      ],
    });
  });

  test('is refused without a manifest, or with a wrong one', async () => {
    expect(await faultsOf(await zip(['one.computation.ts', '']))).toEqual([
      'The archive has no playbook.yaml, neither at its root nor in a folder there.',
    ]);
    expect(await faultsOf(await zip(['a/playbook.yaml', MANIFEST], ['b/playbook.yaml', MANIFEST]))).toEqual([
      'The archive contains several playbooks; zip the folder of one.',
    ]);
    expect(await faultsOf(await zip(['playbook.yaml', 'playbook: No\nname: Desk\n']))).toEqual([
      expect.stringContaining('playbook.yaml: `playbook` is "No"'),
    ]);
  });

  test('is refused with every file that is wrong', async () => {
    const archive = await zip(
      ['playbook.yaml', MANIFEST],
      ['Bad_Name.computation.ts', ''],
      ['large.computation.ts', 'x'.repeat(64 * KIB + 1)],
      ['latin.computation.ts', new Uint8Array([0xe9])],
    );
    expect(await faultsOf(archive)).toEqual([
      expect.stringContaining('"Bad_Name" is not a valid definition name'),
      'large.computation.ts has 65537 bytes; the limit is 65536 bytes.',
      'latin.computation.ts is not UTF-8 text; save it as UTF-8. The byte at offset 0 (0xE9) is not valid.',
    ]);
  });
});

describe('an archive that was made to do harm', () => {
  test.each(['../one.computation.ts', '/tmp/one.computation', 'C:/one.computation.ts', 'a\\..\\ne.computation.ts'])(
    'is refused for the name %s',
    async (name) => {
      const archive = renamed(
        await zip(['playbook.yaml', MANIFEST], ['x'.repeat(name.length), ONE.source]),
        'x'.repeat(name.length),
        name,
      );
      expect(await faultsOf(archive)).toEqual([expect.stringContaining('does not have a safe name')]);
    },
  );

  test('is refused for a name that occurs twice', async () => {
    const archive = await zip(['playbook.yaml', MANIFEST], ['one.computation.ts', 'a'], ['two.computation.ts', 'b']);
    expect(await faultsOf(renamed(archive, 'two.computation', 'one.computation'))).toEqual([
      expect.stringContaining('can be read in more than one way'),
    ]);
  });

  test('is refused for a file that decompresses to more than it states', async () => {
    const bomb = await zip(['playbook.yaml', MANIFEST], ['one.computation.ts', 'x'.repeat(4 * MIB)]);
    expect(await faultsOf(bomb)).toEqual([`one.computation.ts has ${4 * MIB} bytes; the limit is 65536 bytes.`]);
    const disguised = withHeader(bomb, 24, (buffer, at) => buffer.writeUInt32LE(10, at));
    expect(await faultsOf(disguised)).toEqual([
      expect.stringMatching(/more than one way|"one.computation.ts" is damaged/),
    ]);
  });

  test('is refused for definitions that are too many or too large together', async () => {
    const many = Array.from(
      { length: 1001 },
      (_, index): Given => [`n${1000 + index}.computation.ts`, 'x', { level: 0 }],
    );
    expect(await faultsOf(await zip(['playbook.yaml', MANIFEST], ...many))).toEqual([
      'The archive has 1001 definitions; the maximum is 1000.',
    ]);
    const large = many.slice(0, 129).map(([name]): Given => [name, 'x'.repeat(64 * KIB)]);
    expect(await faultsOf(await zip(['playbook.yaml', MANIFEST], ...large))).toEqual([
      `The definitions have ${129 * 64 * KIB} bytes together; the limit is ${8 * MIB} bytes.`,
    ]);
    const entries = Array.from({ length: 4001 }, (_, index): Given => [`${index}.txt`, '', { level: 0 }]);
    expect(await faultsOf(await zip(['playbook.yaml', MANIFEST], ...entries))).toEqual([
      'The archive has more than 4000 entries.',
    ]);
  }, 60_000);

  test.each([
    ['empty objects', `{${'{},'.repeat(10_919)}`, 'cannot be read, at line 1'],
    ['keys', `{${Array.from({ length: 4000 }, (_, index) => `k${index}:`).join(',')}}`, 'unknown key `k0`'],
    ['equal keys', 'playbook: desk\nname: Desk\nname: Other\n', 'at line 3, column 1: This key appears twice'],
    ['brackets', `x: ${'['.repeat(30_000)}`, 'nested more than 200 levels deep'],
    ['values', `x: [${'1,'.repeat(16_000)}1]`, 'unknown key `x`'],
  ])('is refused for a manifest of %s', async (_what, manifest, fault) => {
    expect(await faultsOf(await zip(['playbook.yaml', manifest]))).toEqual([expect.stringMatching(fault)]);
  });

  test('is refused for a link, and for an encrypted file', async () => {
    const link = await zip(['playbook.yaml', MANIFEST], ['one.computation.ts', '/etc/passwd']);
    const asLink = withHeader(link, 38, (buffer, at) => {
      buffer.writeUInt32LE((0o120777 << 16) >>> 0, at);
      buffer.writeUInt8(3, at - 38 + 5);
    });
    expect(await faultsOf(asLink)).toEqual([expect.stringContaining('"one.computation.ts" is a link')]);
    const locked = await zip(['playbook.yaml', MANIFEST], ['one.computation.ts', 'x', { password: 'p' }]);
    expect(await faultsOf(locked)).toEqual([expect.stringContaining('"one.computation.ts" is encrypted')]);
  });

  test('is refused where it is cut, is something else, or has changed bits', async () => {
    const whole = await writeArchive(DESK, [ONE]);
    const notZip = ['The file is not a complete zip archive.'];
    expect(await faultsOf(new Uint8Array())).toEqual(notZip);
    expect(await faultsOf(new TextEncoder().encode('not a zip archive, although it is long enough'))).toEqual(notZip);
    for (let length = 0; length < whole.length; length += 7) {
      expect(await faultsOf(whole.slice(0, length))).toHaveLength(1);
    }
    for (let at = 0; at < whole.length; at += 1) {
      const flipped = whole.slice();
      flipped[at] = (flipped[at] ?? 0) ^ 0x10;
      const read = await readArchive(flipped).catch((error: unknown) => error);
      if (read instanceof WrongArchive) continue;
      // A bit in a time changes nothing, one in the end of a name makes the file an ignored one; content never differs.
      expect(read).toMatchObject(DESK);
      const { definitions, ignored } = read as PlaybookArchive;
      expect(ignored.length === 1 ? [] : [ONE]).toEqual(definitions);
    }
  });
});
