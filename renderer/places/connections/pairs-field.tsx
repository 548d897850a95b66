import { ActionIcon, Button, Input, Text, TextInput, Tooltip } from '@mantine/core';
import { KeyRound, Plus, X } from 'lucide-react';
import type { ReactElement } from 'react';
import type { Pair } from './draft.ts';

export interface PairsFieldProps {
  /** For example `Headers`. */
  label: string;
  /** For example `header`. */
  one: string;
  description: string;
  pairs: readonly Pair[];
  onChange: (pairs: Pair[]) => void;
  issueOf: (name: string) => ReactElement | undefined;
  /** Moves a name to the credential; absent if the credential cannot be sent this way. */
  onCredential?: ((name: string) => void) | undefined;
}

/** Names with their values. */
export function PairsField({ label, one, description, pairs, onChange, issueOf, onCredential }: PairsFieldProps) {
  const set = (index: number, changed: Partial<Pair>): void =>
    onChange(pairs.map((pair, at) => (at === index ? { ...pair, ...changed } : pair)));
  const without = (index: number): Pair[] => pairs.filter((_, at) => at !== index);
  return (
    <div role="group" aria-label={label}>
      <Input.Label component="div">{label}</Input.Label>
      <Input.Description mb={6}>{description}</Input.Description>
      {pairs.map((pair, index) => {
        const issue = issueOf(pair.name);
        return (
          <div key={index}>
            <div className="connection-pair" style={{ marginBottom: 6 }}>
              <TextInput
                aria-label={`Name of ${one} ${index + 1}`}
                placeholder="Name"
                value={pair.name}
                onChange={({ currentTarget }) => set(index, { name: currentTarget.value })}
                error={issue !== undefined}
              />
              <TextInput
                aria-label={`Value of ${one} ${index + 1}`}
                placeholder="Value"
                value={pair.value}
                autoComplete="off"
                onChange={({ currentTarget }) => set(index, { value: currentTarget.value })}
              />
              {onCredential === undefined ? (
                <span />
              ) : (
                <Tooltip label="Use as credential">
                  <ActionIcon
                    variant="default"
                    size={36}
                    aria-label={`Use ${one} ${index + 1} as credential`}
                    disabled={pair.name === ''}
                    onClick={() => onCredential(pair.name)}
                  >
                    <KeyRound size={15} />
                  </ActionIcon>
                </Tooltip>
              )}
              <ActionIcon
                variant="default"
                size={36}
                aria-label={`Remove ${one} ${index + 1}`}
                onClick={() => onChange(without(index))}
              >
                <X size={15} />
              </ActionIcon>
            </div>
            {issue !== undefined && (
              <Text size="xs" c="var(--mantine-color-error)" mb={6} role="alert">
                {issue}
              </Text>
            )}
          </div>
        );
      })}
      <Button
        size="compact-xs"
        variant="default"
        leftSection={<Plus size={13} aria-hidden />}
        onClick={() => onChange([...pairs, { name: '', value: '' }])}
      >
        Add a {one}
      </Button>
    </div>
  );
}
