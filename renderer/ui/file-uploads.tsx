import { Button, Group, Progress, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useSession } from '../api/session/use-session.ts';
import { FileDrop, type FileDropProps } from './file-drop.tsx';
import { fileSize } from './quantities.ts';
import { Mark } from './mark.tsx';
import { ProblemView } from './problem-view.tsx';

export interface FileUploadsProps extends Omit<FileDropProps, 'hasFocus' | 'onFiles'> {
  /** The maximum size in bytes. */
  mostBytes: number;
  /** Uploads one file. @returns a sentence about the uploaded file */
  send: (file: File, onProgress: (share: number) => void) => Promise<string>;
}

interface FileUpload {
  id: number;
  file: File;
  state: UploadState;
}

type UploadState =
  | { step: 'waiting' }
  /** `share` from 0 to 1 is how much was sent. */
  | { step: 'sending'; share: number }
  | { step: 'done'; words: string }
  | { step: 'refused'; error: unknown };

/** Takes files by button and by drop, uploads them one after the other, and shows the result beside each. */
export function FileUploads({
  label,
  hint,
  accept,
  mostBytes,
  isMultiple = false,
  isOff = false,
  send,
}: FileUploadsProps) {
  const [uploads, setUploads] = useState<readonly FileUpload[]>([]);
  const nextId = useRef(1);
  const queue = useRef(Promise.resolve());
  const latestSend = useRef(send);
  useEffect(() => {
    latestSend.current = send;
  });
  const isBusy = uploads.some(({ state }) => state.step === 'waiting' || state.step === 'sending');

  const mark = (id: number, state: UploadState): void =>
    setUploads((all) => all.map((one) => (one.id === id ? { ...one, state } : one)));
  const uploadOne = async ({ id, file }: FileUpload): Promise<void> => {
    mark(id, { step: 'sending', share: 0 });
    try {
      if (file.size > mostBytes) {
        throw new Error(`The file has ${fileSize(file.size)}; the maximum is ${fileSize(mostBytes)}.`);
      }
      const words = await latestSend.current(file, (share) => mark(id, { step: 'sending', share }));
      mark(id, { step: 'done', words });
    } catch (error) {
      mark(id, { step: 'refused', error });
    }
  };
  const add = (files: readonly File[]): void => {
    const added = files.map((file): FileUpload => {
      const id = nextId.current;
      nextId.current += 1;
      return { id, file, state: { step: 'waiting' } };
    });
    setUploads((all) => (isMultiple ? [...all, ...added] : added));
    for (const one of added) queue.current = queue.current.then(() => uploadOne(one));
  };

  return (
    <div>
      <FileDrop
        label={label}
        hint={hint}
        accept={accept}
        isMultiple={isMultiple}
        isOff={isOff || (!isMultiple && isBusy)}
        onFiles={add}
      />
      {uploads.map(({ id, file, state }) => (
        <div key={id} className="file-upload">
          <Group justify="space-between" gap="xs" role="status">
            <Text size="sm" fw={600}>
              {file.name}{' '}
              <Text span size="sm" c="dimmed" fw={400}>
                {fileSize(file.size)}
              </Text>
            </Text>
            <Text size="sm" component="div">
              <StateWords state={state} />
            </Text>
          </Group>
          {state.step === 'sending' && (
            <Progress value={100 * state.share} size="sm" mt={6} aria-label={`Upload of ${file.name}`} />
          )}
          {state.step === 'refused' && (
            <div style={{ marginTop: 6 }}>
              <ProblemView error={state.error} />
              <Button
                size="compact-xs"
                variant="default"
                mt={6}
                onClick={() => {
                  queue.current = queue.current.then(() => uploadOne({ id, file, state }));
                }}
              >
                Try again
              </Button>
            </div>
          )}
        </div>
      ))}
    </div>
  );
}

function StateWords({ state }: { state: UploadState }) {
  const session = useSession();
  switch (state.step) {
    case 'waiting':
      return 'Waiting';
    case 'sending':
      if (session.is === 'signed in' && session.refused !== undefined) return 'Waiting until you sign in again';
      return state.share < 1 ? `Uploading ${Math.floor(100 * state.share)}%` : 'Checking…';
    case 'done':
      return <Mark sense="good">{state.words}</Mark>;
    case 'refused':
      return <Mark sense="bad">Not accepted</Mark>;
  }
}
