import {
  Button,
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type MantineThemeOverride,
  type VariantColorsResolver,
} from '@mantine/core'
import type { AdminStart } from '../contract/admin-start.ts'

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

/** The site's look for the parts of the admin. Its faces and single colours are custom properties: see `styles/`. */
export function houseTheme(shades: AdminStart['shades']): MantineThemeOverride {
  const tuple = (colours: string[]) => colours as unknown as MantineColorsTuple
  return createTheme({
    colors: { brand: tuple(shades.brand), gray: tuple(shades.gray), dark: tuple(shades.dark), red },
    primaryColor: 'brand',
    primaryShade: { light: 7, dark: 5 },
    autoContrast: true,
    variantColorResolver: houseButtons,
    black: shades.dark[9] ?? '#000',
    fontFamily: 'var(--text-face)',
    headings: {
      fontFamily: 'var(--display-face)',
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
      Button: Button.extend({ defaultProps: { size: 'md' } }),
      TextInput: { defaultProps: { size: 'md' } },
      PasswordInput: { defaultProps: { size: 'md' } },
      NativeSelect: { defaultProps: { size: 'md' } },
      Textarea: { defaultProps: { size: 'md' } },
      Checkbox: { defaultProps: { size: 'md' } },
      Switch: { defaultProps: { size: 'md' } },
      ActionIcon: { defaultProps: { size: 44, variant: 'subtle' } },
      Paper: { defaultProps: { withBorder: true } },
      Modal: { defaultProps: { centered: true, radius: 'md', overlayProps: { backgroundOpacity: 0.55 } } },
      Loader: { defaultProps: { type: 'dots' } },
    },
  })
}

/** Mantine knows one shade for day and night where it chooses the colour of the words; the site has chosen both. */
const houseButtons: VariantColorsResolver = (input) => {
  const colours = defaultVariantColorsResolver(input)
  if (input.variant !== 'filled') return colours
  return input.color === 'red'
    ? { ...colours, background: 'var(--wrong)', hover: 'var(--wrong-hover)', color: 'var(--on-wrong)' }
    : { ...colours, background: 'var(--button)', hover: 'var(--button-hover)', color: 'var(--on-button)' }
}

const ofScheme = {
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

/** The server has put the site's own colours, by day and by night, into the page; here Mantine learns which is for what. */
export const houseVariables: CSSVariablesResolver = () => ({ variables: {}, light: ofScheme, dark: ofScheme })
