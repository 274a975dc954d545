import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorScheme,
  type MantineColorSchemeManager,
  type MantineColorsTuple,
  type MantineThemeOverride,
  type VariantColorsResolver,
} from '@mantine/core'
import { type AdminInitialData, schemeCookie } from '../contract/admin-start.ts'
import { FocusableButton } from './components/buttons.tsx'

const red = [
  '#fdf0ee',
  '#fbdcd8',
  '#f5b7b0',
  '#f29a90',
  '#f18779',
  '#ff9a8d',
  '#c73a30',
  '#b3261e',
  '#93201a',
  '#741914',
] as const satisfies MantineColorsTuple

/** The Mantine theme in the colours of the site. Fonts and other colours are custom properties: see `styles/`. */
export function adminTheme(shades: AdminInitialData['shades']): MantineThemeOverride {
  const tuple = (colours: string[]) => colours as unknown as MantineColorsTuple
  return createTheme({
    colors: { brand: tuple(shades.brand), gray: tuple(shades.gray), dark: tuple(shades.dark), red },
    primaryColor: 'brand',
    primaryShade: { light: 7, dark: 5 },
    autoContrast: true,
    variantColorResolver: siteButtonColors,
    black: shades.dark[9] ?? '#000',
    fontFamily: 'var(--font-text)',
    headings: {
      fontFamily: 'var(--font-display)',
      fontWeight: '700',
      textWrap: 'balance',
      sizes: {
        h1: { fontSize: 'clamp(1.75rem, 1.4rem + 1.2vw, 2.5rem)', lineHeight: 'var(--heading-line)' },
        h2: { fontSize: '1.3rem', lineHeight: 'var(--heading-line)' },
        h3: { fontSize: '1.08rem', lineHeight: '1.35' },
      },
    },
    fontSizes: { xs: '0.8125rem', sm: '0.9rem', md: '1rem' },
    radius: { xs: '0.25rem', sm: '0.375rem', md: '0.5rem', lg: '0.75rem', xl: '1.75rem' },
    defaultRadius: 'sm',
    shadows: { sm: 'var(--rise-low)', md: 'var(--rise)' },
    respectReducedMotion: true,
    cursorType: 'pointer',
    components: {
      // The main action of a screen or dialog is `filled`.
      Button: { defaultProps: { component: FocusableButton, size: 'md', variant: 'default' } },
      // Most are there when the screen opens. One that appears because of an action has the role `alert` or `status`.
      Alert: { defaultProps: { role: 'note' } },
      TextInput: { defaultProps: { size: 'md', autoComplete: 'off' } },
      Badge: { defaultProps: { size: 'lg', variant: 'light' } },
      PasswordInput: { defaultProps: { size: 'md' } },
      NativeSelect: { defaultProps: { size: 'md' } },
      Textarea: { defaultProps: { size: 'md', autoComplete: 'off' } },
      Checkbox: { defaultProps: { size: 'md' } },
      Switch: { defaultProps: { size: 'md' } },
      ActionIcon: { defaultProps: { component: FocusableButton, size: 44, variant: 'subtle' } },
      Paper: { defaultProps: { withBorder: true } },
      Modal: { defaultProps: { centered: true, radius: 'md', overlayProps: { backgroundOpacity: 0.55 } } },
      Loader: { defaultProps: { type: 'dots' } },
    },
  })
}

/** Colours filled buttons with the site's variables: Mantine would derive one text colour for both colour schemes. */
const siteButtonColors: VariantColorsResolver = (input) => {
  const colours = defaultVariantColorsResolver(input)
  if (input.variant !== 'filled') return colours
  return input.color === 'red'
    ? { ...colours, background: 'var(--wrong)', hover: 'var(--wrong-hover)', color: 'var(--on-wrong)' }
    : { ...colours, background: 'var(--button)', hover: 'var(--button-hover)', color: 'var(--on-button)' }
}

const schemeVariables = {
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-bright': 'var(--strong)',
  '--mantine-color-body': 'var(--raised)',
  '--mantine-color-default': 'var(--raised)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-default-hover': 'var(--hover)',
  '--mantine-color-default-border': 'var(--edge)',
  '--mantine-color-dimmed': 'var(--quiet)',
  '--mantine-color-placeholder': 'var(--quiet)',
  '--mantine-color-anchor': 'var(--link)',
  '--mantine-color-error': 'var(--wrong)',
}

/** The server puts the site's light and dark colours into the page; this maps them to Mantine's variables. */
export const adminCssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: schemeVariables,
  dark: schemeVariables,
})

const yearSeconds = 365 * 86_400

/** Stores the colour scheme in a cookie, so that the server renders it before any script runs. */
export const schemeManager: MantineColorSchemeManager = {
  get: (defaultScheme) => {
    const stored = document.cookie.match(new RegExp(`(?:^|; )${schemeCookie}=(light|dark)`))?.[1]
    return (stored as MantineColorScheme | undefined) ?? defaultScheme
  },
  set: (value) => storeScheme(value === 'auto' ? undefined : value),
  clear: () => storeScheme(undefined),
  subscribe: () => {},
  unsubscribe: () => {},
}

function storeScheme(value: string | undefined) {
  // biome-ignore lint/suspicious/noDocumentCookie: the alternative is asynchronous and not in every browser yet
  document.cookie = `${schemeCookie}=${value ?? ''}; path=/; max-age=${value ? yearSeconds : 0}; samesite=lax`
}
