import { SegmentedControl, Skeleton } from '@mantine/core';
import { type ReactNode, Suspense, useState } from 'react';
import { JsonField, type EditedValue } from './json-field.tsx';

export interface FormOrJsonProps extends EditedValue {
  /** The name of the value, for example `input`. */
  what: string;
  /** Undefined if the value can only be edited as JSON. */
  form: ReactNode | undefined;
  /** The text that is not valid JSON is that of the form, which shows the part that is not. */
  isOfForm: boolean;
  /** The value is shown as JSON from now on. */
  onJson: () => void;
  /** The height in pixels while the form is loading. */
  height: number;
}

/** Edits a value as a form or as JSON. Both edit the same draft. */
export function FormOrJson({ what, form, isOfForm, onJson, height, ...value }: FormOrJsonProps) {
  const [isChosen, setChosen] = useState(false);
  // The form cannot show invalid JSON.
  const isBound = value.broken !== undefined && !isOfForm;
  const isJson = isChosen || form === undefined || isBound;
  return (
    <>
      {form !== undefined && (
        <SegmentedControl
          size="xs"
          mb="sm"
          aria-label={`Edit the ${what} as`}
          data={['Form', 'JSON']}
          disabled={isBound}
          value={isJson ? 'JSON' : 'Form'}
          onChange={(chosen) => {
            setChosen(chosen === 'JSON');
            if (chosen === 'JSON') onJson();
          }}
        />
      )}
      {isJson ? (
        <JsonField {...value} label={`${what.charAt(0).toUpperCase()}${what.slice(1)} as JSON`} />
      ) : (
        <Suspense fallback={<Skeleton height={height} />}>{form}</Suspense>
      )}
    </>
  );
}
