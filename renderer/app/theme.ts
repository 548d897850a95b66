import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';

const ink: MantineColorsTuple = [
  '#dfe3ec',
  '#c3c9d6',
  '#a3abbd',
  '#78829a',
  '#3d4558',
  '#2c3344',
  '#212736',
  '#171b26',
  '#11141d',
  '#0b0e15',
];

const cue: MantineColorsTuple = [
  '#eef0ff',
  '#dfe2ff',
  '#bcc2ff',
  '#99a1fb',
  '#7c83f3',
  '#6366eb',
  '#4f4be0',
  '#4338ca',
  '#372fa6',
  '#2b2580',
];

export const theme = createTheme({
  primaryColor: 'cue',
  primaryShade: { light: 7, dark: 6 },
  colors: { cue, dark: ink },
  defaultRadius: 'md',
  fontFamily: 'Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Code", "JetBrains Mono", Menlo, Consolas, monospace',
  headings: { fontWeight: '650' },
  cursorType: 'pointer',
  // By name only: importing the components here would add them to the first load.
  components: {
    // Only the icon and the border are coloured, so that text has a neutral background.
    Alert: {
      defaultProps: { variant: 'outline' },
      styles: {
        root: { backgroundColor: 'var(--cue-soft)' },
        // Long lines of code in it are scrolled.
        body: { minWidth: 0 },
        title: { color: 'var(--mantine-color-text)' },
        message: { color: 'var(--mantine-color-text)' },
      },
    },
    Modal: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } }, styles: { title: { fontWeight: 650 } } },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } }, styles: { title: { fontWeight: 650 } } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    // Otherwise the chosen one alone is indented, by its check mark.
    Select: { defaultProps: { withAlignedLabels: true } },
    SegmentedControl: { styles: { root: { backgroundColor: 'var(--cue-hover)' } } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300 } },
  },
});

/** Colours of dimmed text and links that meet WCAG AA on every background where they are used. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-dimmed': '#566072',
    '--mantine-color-placeholder': '#667085',
    '--mantine-color-error': '#c4203b',
    '--mantine-color-anchor': cue[7],
    '--mantine-color-red-filled': '#c92a2a',
    '--mantine-color-red-filled-hover': '#b02525',
    '--cue-side': '#f6f7fb',
    '--cue-line': '#e4e7ef',
    '--cue-soft': '#f6f7fb',
    '--cue-hover': '#eef0f7',
    '--cue-chosen': '#e6e8fd',
    '--cue-chosen-text': '#372fa6',
    '--cue-good': '#0b7a4b',
    '--cue-bad': '#c4203b',
    '--cue-warn': '#9a5b00',
    '--cue-busy': '#2563c9',
    '--cue-quiet': '#667085',
  },
  dark: {
    '--mantine-color-body': ink[8],
    '--mantine-color-dimmed': '#a3abbd',
    '--mantine-color-placeholder': '#8d96ab',
    '--mantine-color-error': '#ff8a98',
    '--mantine-color-anchor': '#a9b0ff',
    '--mantine-color-red-filled': '#c92a2a',
    '--mantine-color-red-filled-hover': '#b02525',
    // Mantine's would be nearly white.
    '--mantine-color-red-light-color': '#ff8a98',
    '--mantine-color-red-outline': '#ff8a98',
    '--mantine-color-cue-light': '#272a5a',
    '--mantine-color-cue-light-hover': '#30346d',
    '--mantine-color-cue-light-color': '#d3d7ff',
    '--cue-side': ink[9],
    '--cue-line': '#262d3d',
    '--cue-soft': ink[7],
    '--cue-hover': '#1d2331',
    '--cue-chosen': '#272a5a',
    '--cue-chosen-text': '#d3d7ff',
    '--cue-good': '#4cd295',
    '--cue-bad': '#ff8a98',
    '--cue-warn': '#f3b95f',
    '--cue-busy': '#7fb2ff',
    '--cue-quiet': '#8d96ab',
  },
});
