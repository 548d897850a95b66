import { Button, FileButton, Text } from '@mantine/core';
import { Upload } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import './file-drop.css';

export interface FileDropProps {
  /** The label of the button. */
  label: string;
  /** What may be dropped, as a sentence. */
  hint: string;
  /** File name extensions and media types, as in `<input accept>`. */
  accept: string;
  isMultiple?: boolean;
  /** No file is taken now. */
  isOff?: boolean;
  /** Whether the button gets the focus of the dialog that it is in. */
  hasFocus?: boolean;
  /** Receives at least one file, and exactly one unless `isMultiple`. */
  onFiles: (files: readonly File[]) => void;
}

/** An area that takes files by button and by drop. */
export function FileDrop({
  label,
  hint,
  accept,
  isMultiple = false,
  isOff = false,
  hasFocus = false,
  onFiles,
}: FileDropProps) {
  const [isOver, setOver] = useState(false);
  const reset = useRef<() => void>(null);
  const take = (files: readonly File[]): void => {
    if (files.length === 0) return;
    // The same file can be chosen again.
    reset.current?.();
    onFiles(isMultiple ? files : files.slice(0, 1));
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    if (!isOff) take([...event.dataTransfer.files]);
  };
  return (
    <div
      className="file-drop"
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <FileButton
        multiple={isMultiple}
        accept={accept}
        disabled={isOff}
        onChange={(chosen) => take(chosen === null ? [] : [chosen].flat())}
        inputProps={{ 'aria-label': label }}
        resetRef={reset}
      >
        {(props) => (
          <Button
            {...props}
            size="xs"
            variant="default"
            leftSection={<Upload size={14} aria-hidden />}
            disabled={isOff}
            data-autofocus={hasFocus || undefined}
          >
            {label}
          </Button>
        )}
      </FileButton>
      <Text size="sm" c="dimmed">
        {hint}
      </Text>
    </div>
  );
}
