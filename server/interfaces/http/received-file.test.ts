// What a caller can read where the system refuses room for the body of an upload.
import { type FileHandle, open } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../test/index.ts';
import { openReceivedFile } from './received-file.ts';

vi.mock('node:fs/promises', async (original) => {
  const actual = await original<{ open: typeof open }>();
  return { ...actual, open: vi.fn<typeof open>(actual.open) };
});

afterEach(() => vi.mocked(open).mockClear());

const refusedWith = (code: string): Error => Object.assign(new Error(`${code}: a path of the server`), { code });

function givenFolder(): string {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  return folder.path;
}

describe('a body is refused as unavailable, and leaves no file,', () => {
  test.each([
    ['ENOSPC', /no room on the disk/],
    ['EDQUOT', /no room on the disk/],
    ['EFBIG', /not allowed to write a file as large/],
  ])('where a write fails with %s', async (code, detail) => {
    const folder = givenFolder();
    const file = await openReceivedFile(folder);
    const handle = (await vi.mocked(open).mock.results[0]?.value) as FileHandle;
    await file.write(Buffer.from('the first part'));
    vi.spyOn(handle, 'write').mockRejectedValueOnce(refusedWith(code));
    await expect(file.write(Buffer.from('more'))).rejects.toMatchObject({
      problem: 'unavailable',
      message: expect.stringMatching(detail),
    });
    await file.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each([
    ['ENOSPC', /no room on the disk/],
    ['EMFILE', /too many open files/],
    ['ENFILE', /too many open files/],
  ])('where its file cannot be opened with %s', async (code, detail) => {
    vi.mocked(open).mockRejectedValueOnce(refusedWith(code));
    const folder = givenFolder();
    await expect(openReceivedFile(folder)).rejects.toMatchObject({
      problem: 'unavailable',
      message: expect.stringMatching(detail),
    });
    expect(readdirSync(folder)).toEqual([]);
  });
});

test('another failure of the disk is no refusal', async () => {
  vi.mocked(open).mockRejectedValueOnce(refusedWith('EIO'));
  await expect(openReceivedFile(givenFolder())).rejects.toMatchObject({ code: 'EIO' });
});
