import { Button, Popover, Stack, TagsInput, Text } from '@mantine/core';
import { UserRound } from 'lucide-react';
import { LIMITS } from '../../../shared/limits.ts';
import { useMe } from './parties.ts';

/** How many parties a person can choose. */
const MOST = 8;

/** Chooses the parties that the person at this browser answers for. @param known parties to choose from */
export function WhoAmI({ known }: { known: readonly string[] }) {
  const [me, choose] = useMe();
  const tooLong = me.find((party) => new TextEncoder().encode(party).length > LIMITS.claimedForBytes);
  return (
    <Popover width={340} position="bottom-end" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default" size="xs" leftSection={<UserRound size={14} aria-hidden />} maw={260}>
          {me.length === 0 ? 'Who am I?' : `I am ${me.join(', ')}`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          <TagsInput
            label="My parties"
            description="As written in the “to” field of interactions. The inbox shows their requests first, and your answers are recorded on their behalf."
            placeholder={me.length === 0 ? 'duty-manager' : ''}
            data={known.filter((party) => !me.includes(party))}
            value={[...me]}
            onChange={choose}
            maxTags={MOST}
            clearable
            comboboxProps={{ withinPortal: false }}
            clearButtonProps={{ 'aria-label': 'Nobody' }}
            error={
              tooLong === undefined
                ? undefined
                : `“${tooLong}” has more than ${LIMITS.claimedForBytes} bytes: you can see its requests, but you cannot answer on its behalf.`
            }
          />
          <Text size="xs" c="dimmed">
            Saved in this browser only. This is not a sign-in, and it is not verified.
          </Text>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
