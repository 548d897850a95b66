import { SegmentedControl, Skeleton } from '@mantine/core';
import { type ReactNode, Suspense, useState } from 'react';
import { JsonField, type Writing } from './json-field.tsx';

export interface FormOrJsonProps extends Writing {
  /** What is written, for example `input`. */
  what: string;
  /** Undefined where there is none: the value is written as JSON then. */
  form: ReactNode | undefined;
  /** Pixels, while the form is loaded. */
  height: number;
}

/** One value as a form or as JSON. Both write the same draft. */
export function FormOrJson({ what, form, height, ...writing }: FormOrJsonProps) {
  const [isChosen, setChosen] = useState(false);
  const isJson = isChosen || form === undefined || writing.broken !== undefined;
  return (
    <>
      {form !== undefined && (
        <SegmentedControl
          size="xs"
          mb="sm"
          aria-label={`How the ${what} is written`}
          data={['Form', 'JSON']}
          // The form would show something else than what is written.
          disabled={writing.broken !== undefined}
          value={isJson ? 'JSON' : 'Form'}
          onChange={(chosen) => setChosen(chosen === 'JSON')}
        />
      )}
      {isJson ? (
        <JsonField {...writing} label={`${what.charAt(0).toUpperCase()}${what.slice(1)} as JSON`} />
      ) : (
        <Suspense fallback={<Skeleton height={height} />}>{form}</Suspense>
      )}
    </>
  );
}
