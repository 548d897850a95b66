import { Button, Popover, Stack, TagsInput, Text } from '@mantine/core';
import { UserRound } from 'lucide-react';
import { LIMITS } from '../../../shared/limits.ts';
import { useMe } from './parties.ts';

/** Parties that are asked about side by side. */
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
            label="The parties that are me"
            description="As interactions write them under “to”. The inbox begins with what is for them, and an answer says that it is given for them."
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
                : `“${tooLong}” has more than ${LIMITS.claimedForBytes} bytes: it can be looked at, but no answer can name it.`
            }
          />
          <Text size="xs" c="dimmed">
            Kept in this browser. It is a choice, not a sign-in: nobody verifies it.
          </Text>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
