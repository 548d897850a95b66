import './shell.css';
import {
  ActionIcon,
  Group,
  Skeleton,
  Text,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { notificationsStore } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useParams, useRouter } from '@tanstack/react-router';
import { Keyboard, Menu, Moon, Search, Sun, X } from 'lucide-react';
import { lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import icon from '../ui/icon.svg';
import { bufferKeys } from './buffer-keys.ts';
import { playbooksQuery } from '../api/queries.ts';
import { SignedInAs, SignInNeeded } from '../sign-in/signed-in-as.tsx';
import { HowToStart } from '../ui/how-to-start.tsx';
import { useKeys } from '../ui/keyboard.ts';
import { ShortcutKey } from '../ui/shortcut-key.tsx';
import { SHORTCUTS } from '../ui/shortcuts.ts';
import { NoPlaybook } from '../ui/page-fallbacks.tsx';
import { useCutTitles } from '../ui/use-cut-titles.ts';
import { useIsNarrow } from '../ui/use-narrow.ts';
import { LiveProvider, useIsLost } from '../api/live.tsx';
import { NavBadge } from './nav-badge.tsx';
import { usePlaces } from './use-places.ts';

// Dialogs and menus are not part of the first load.
const KeyHelp = lazy(async () => ({ default: (await import('./key-help.tsx')).KeyHelp }));
const Notices = lazy(async () => ({ default: (await import('./notices.tsx')).Notices }));
const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));
const PlaybookMenu = lazy(async () => ({ default: (await import('./playbook-menu.tsx')).PlaybookMenu }));

const PALETTE_FIELD = 'palette';

export function Shell() {
  const { playbook } = useParams({ strict: false });
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const [isHelping, setHelping] = useState(false);
  const [paletteCount, setPaletteCount] = useState(0);
  const menuButton = useRef<HTMLButtonElement>(null);
  const [isMenuOpen, setMenuOpen] = useMenu(menuButton);
  const { data: playbooks, isFetching } = useQuery({ ...playbooksQuery, enabled: playbook !== undefined });
  const isUnknown =
    playbook !== undefined && playbooks !== undefined && !isFetching && playbooks.every(({ id }) => id !== playbook);
  const openPalette = (): void => {
    // The palette may not be loaded yet: it gets the keys that are typed until then.
    if (document.getElementById(PALETTE_FIELD) === null) bufferKeys(PALETTE_FIELD);
    setPaletteCount((count) => count + 1);
  };
  const toggleScheme = (): void => setColorScheme(scheme === 'dark' ? 'light' : 'dark');

  const places = usePlaces();
  const goToKeys = places.map(({ key, to }) => [
    `g ${key}`,
    () => {
      if (playbook !== undefined) void navigate({ to, params: { playbook } });
    },
  ]);
  useKeys({
    ...(Object.fromEntries(goToKeys) as Record<string, () => void>),
    [SHORTCUTS.help[0]]: () => setHelping(true),
    [SHORTCUTS.scheme[0]]: toggleScheme,
  });
  useCutTitles();
  useHotkeys([[SHORTCUTS.search[0], openPalette]], [], true);

  return (
    <LiveProvider playbook={playbook}>
      <div className="shell" data-menu={isMenuOpen || undefined}>
        <nav className="side" aria-label="Pages">
          <SideHead menuButton={menuButton} isMenuOpen={isMenuOpen} onMenu={setMenuOpen} onSearch={openPalette} />
          <div className="side-menu" id="menu">
            <div className="side-places">
              <Suspense fallback={<Skeleton height={34} mb={8} />}>
                <PlaybookMenu playbook={playbook} />
              </Suspense>
              {playbook !== undefined &&
                places.map(({ title, icon: Icon, to }) => (
                  <Link
                    key={to}
                    to={to}
                    params={{ playbook }}
                    className="side-link"
                    activeOptions={{ exact: to === '/playbooks/$playbook', includeSearch: false }}
                  >
                    <Icon size={17} aria-hidden />
                    {title}
                    <NavBadge to={to} playbook={playbook} />
                  </Link>
                ))}
            </div>
            <SideFoot onSearch={openPalette} onScheme={toggleScheme} onHelp={() => setHelping(true)} />
          </div>
          <div className="side-notices">
            <LazyNotices />
          </div>
        </nav>
        <main className="main" inert={isMenuOpen}>
          <SignInNeeded />
          <ConnectionLost />
          {isUnknown ? <NoPlaybook playbook={playbook} /> : <Outlet />}
        </main>
      </div>
      <Suspense>
        {paletteCount > 0 && <Palette playbook={playbook} openCount={paletteCount} fieldId={PALETTE_FIELD} />}
        {isHelping && <KeyHelp onClose={() => setHelping(false)} />}
      </Suspense>
    </LiveProvider>
  );
}

interface SideHeadProps {
  menuButton: RefObject<HTMLButtonElement | null>;
  isMenuOpen: boolean;
  onMenu: (isOpen: boolean) => void;
  onSearch: () => void;
}

function SideHead({ menuButton, isMenuOpen, onMenu, onSearch }: SideHeadProps) {
  return (
    <div className="side-head">
      <ActionIcon
        ref={menuButton}
        className="side-narrow"
        variant="subtle"
        color="gray"
        size="lg"
        aria-expanded={isMenuOpen}
        aria-controls="menu"
        aria-label="Menu"
        onClick={() => onMenu(!isMenuOpen)}
      >
        {isMenuOpen ? <X size={20} /> : <Menu size={20} />}
      </ActionIcon>
      <Link to="/" className="plain side-name" aria-label="Cuebook: all playbooks">
        <img src={icon} width={24} height={24} alt="" />
        <Text fw={700} fz={16} lts="-0.01em">
          Cuebook
        </Text>
      </Link>
      <ActionIcon
        className="side-narrow"
        variant="subtle"
        color="gray"
        size="lg"
        aria-label="Search"
        onClick={onSearch}
      >
        <Search size={19} />
      </ActionIcon>
    </div>
  );
}

function SideFoot({ onSearch, onScheme, onHelp }: Record<'onSearch' | 'onScheme' | 'onHelp', () => void>) {
  const scheme = useComputedColorScheme('light');
  return (
    <div className="side-foot">
      <UnstyledButton className="side-link" onClick={onSearch}>
        <Search size={17} aria-hidden />
        <span style={{ flex: 1 }}>Search</span>
        <ShortcutKey of={SHORTCUTS.search} />
      </UnstyledButton>
      <SignedInAs />
      <Group gap={4} px={6} pt={4}>
        <ActionIcon
          variant="subtle"
          color="gray"
          onClick={onScheme}
          title={scheme === 'dark' ? 'Light' : 'Dark'}
          aria-label={scheme === 'dark' ? 'Switch to light' : 'Switch to dark'}
        >
          {scheme === 'dark' ? <Sun size={17} /> : <Moon size={17} />}
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="gray"
          onClick={onHelp}
          title="Keyboard shortcuts"
          aria-label="Show keyboard shortcuts"
        >
          <Keyboard size={17} />
        </ActionIcon>
      </Group>
    </div>
  );
}

/** The notifications are loaded with the first one. */
function LazyNotices() {
  const [isNeeded, setNeeded] = useState(false);
  useEffect(() => notificationsStore.subscribe(() => setNeeded(true)), []);
  return <Suspense>{isNeeded && <Notices />}</Suspense>;
}

/** The menu of a narrow page. It closes on navigation, and on Escape, which returns the focus to `button`. */
function useMenu(button: RefObject<HTMLElement | null>) {
  const [isOpen, setOpen] = useState(false);
  const isNarrow = useIsNarrow();
  // A page that has become wide shows no menu, and must not stay inert behind it.
  if (isOpen && !isNarrow) setOpen(false);
  const router = useRouter();
  useEffect(() => router.subscribe('onBeforeNavigate', () => setOpen(false)), [router]);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  useHotkeys(isOpen ? [['Escape', close]] : []);
  return [isOpen, setOpen] as const;
}

function ConnectionLost() {
  const isLost = useIsLost();
  return (
    <div role="status">
      {isLost && (
        <div className="lost">
          <strong>Connection lost. Reconnecting…</strong> What you wrote is kept. If the service was stopped,{' '}
          <HowToStart />
        </div>
      )}
    </div>
  );
}
