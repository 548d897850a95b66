import {
  ActionIcon,
  Group,
  Kbd,
  Text,
  Tooltip,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { spotlight } from '@mantine/spotlight';
import { Link, Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { Keyboard, Moon, Search, Sun } from 'lucide-react';
import { useState } from 'react';
import icon from '../icon.svg';
import { KeyHelp } from './key-help.tsx';
import { LiveProvider, useIsLost } from './live.tsx';
import { Palette } from './palette.tsx';
import { PLACES } from './places.ts';
import { PlaybookMenu } from './playbook-menu.tsx';
import { useKeys } from './use-keys.ts';

export function Shell() {
  const { playbook } = useParams({ strict: false });
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const [isHelping, setHelping] = useState(false);
  const turn = (): void => setColorScheme(scheme === 'dark' ? 'light' : 'dark');

  const goes = PLACES.map(({ key, to }) => [
    `g ${key}`,
    () => {
      if (playbook !== undefined) void navigate({ to, params: { playbook } });
    },
  ]);
  useKeys({ ...(Object.fromEntries(goes) as Record<string, () => void>), '?': () => setHelping(true), t: turn });

  return (
    <LiveProvider playbook={playbook}>
      <div className="shell">
        <nav className="side" aria-label="Places">
          <Link to="/" className="plain" aria-label="Cuebook: all playbooks">
            <Group gap={10} px={10} pb={10}>
              <img src={icon} width={24} height={24} alt="" />
              <Text fw={700} fz={16} lts="-0.01em">
                Cuebook
              </Text>
            </Group>
          </Link>
          <PlaybookMenu playbook={playbook} />
          {playbook !== undefined &&
            PLACES.map(({ title, icon: Icon, to }) => (
              <Link
                key={to}
                to={to}
                params={{ playbook }}
                className="side-link"
                activeOptions={{ exact: to === '/playbooks/$playbook', includeSearch: false }}
              >
                <Icon size={17} aria-hidden />
                {title}
              </Link>
            ))}
          <div style={{ flex: 1 }} />
          <UnstyledButton className="side-link" onClick={() => spotlight.open()}>
            <Search size={17} aria-hidden />
            <span style={{ flex: 1 }}>Search</span>
            <Kbd size="xs">Ctrl K</Kbd>
          </UnstyledButton>
          <Group gap={4} px={6} pt={4}>
            <Tooltip label={scheme === 'dark' ? 'Light' : 'Dark'}>
              <ActionIcon
                variant="subtle"
                color="gray"
                onClick={turn}
                aria-label={scheme === 'dark' ? 'Show everything light' : 'Show everything dark'}
              >
                {scheme === 'dark' ? <Sun size={17} /> : <Moon size={17} />}
              </ActionIcon>
            </Tooltip>
            <Tooltip label="Keys">
              <ActionIcon variant="subtle" color="gray" onClick={() => setHelping(true)} aria-label="Show the keys">
                <Keyboard size={17} />
              </ActionIcon>
            </Tooltip>
          </Group>
        </nav>
        <main className="main">
          <LostBanner />
          <Outlet />
        </main>
      </div>
      <Palette playbook={playbook} />
      <KeyHelp opened={isHelping} onClose={() => setHelping(false)} />
    </LiveProvider>
  );
}

function LostBanner() {
  const isLost = useIsLost();
  return (
    <div role="status">
      {isLost && (
        <div className="lost">
          <strong>The service does not answer.</strong> What you wrote is kept. The studio goes on by itself as soon as
          it answers again; <code>npm start</code> starts it.
        </div>
      )}
    </div>
  );
}
