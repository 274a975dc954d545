import { expect, test } from 'vitest'
import { contrast } from './palette.ts'
import { blend, scrimOpacity, surfaceColours, surfaces } from './surfaces.ts'

const delivered = { primary: '#10B981', secondary: '#E6F9F2', accent: '#047857', light: '#FFFFFF', dark: '#2D2D2A' }

const careless = {
  'very light': { primary: '#FFFDE7', secondary: '#FFFFF5', accent: '#FFF9C4', light: '#FFFFFF', dark: '#EEEEEE' },
  'very dark': { primary: '#0A0A12', secondary: '#101018', accent: '#050508', light: '#15151F', dark: '#000000' },
  'saturated red': { primary: '#FF0000', secondary: '#FFD0D0', accent: '#FF0033', light: '#FFFFFF', dark: '#330000' },
  'saturated yellow': {
    primary: '#FFFF00',
    secondary: '#FFFFB0',
    accent: '#FFEA00',
    light: '#FFFFFF',
    dark: '#222200',
  },
  'saturated blue': { primary: '#0000FF', secondary: '#D0D0FF', accent: '#0000FF', light: '#FFFFFF', dark: '#000033' },
  'one middle grey': { primary: '#777777', secondary: '#777777', accent: '#777777', light: '#777777', dark: '#777777' },
  'light and dark exchanged': { ...delivered, light: '#2D2D2A', dark: '#FFFFFF' },
}

/** Extreme values of each of the five colours, in every combination, of which some are taken. */
function everyCombination() {
  const extremes = ['#000000', '#ffffff', '#ff2d00', '#7a7a7a']
  const [first = [], ...others] = Array.from({ length: 5 }, () => extremes)
  const combinations = others.reduce<string[][]>(
    (found, next) => found.flatMap((one) => next.map((colour) => [...one, colour])),
    first.map((colour) => [colour]),
  )
  return combinations
    .filter((_, index) => index % 23 === 0)
    .map(([primary = '', secondary = '', accent = '', light = '', dark = '']) => ({
      primary,
      secondary,
      accent,
      light,
      dark,
    }))
}

/** The pairs of colours below the contrast of WCAG AA. */
function tooLow(palette: typeof delivered): string[] {
  return (['light', 'dark'] as const).flatMap((scheme) => {
    const of = surfaceColours(palette, scheme)
    return surfaces.flatMap((surface) => {
      const { ground, soft, raised, button, onButton, buttonHover, field, primary, ...texts } = of[surface]
      const { ink, strong, quiet, link, tick, wrong } = texts
      const behind = [ground, soft, raised, ...(surface === 'picture' ? [blend(ground, scrimOpacity, '#ffffff')] : [])]
      const pairs = [
        ...behind.flatMap((on) =>
          Object.entries({ ink, strong, quiet, link, tick, wrong }).map((one) => ({ one, on, least: 4.5 })),
        ),
        ...behind.flatMap((on) => Object.entries({ field, button, primary }).map((one) => ({ one, on, least: 3 }))),
        ...[button, buttonHover].map((on) => ({ one: ['onButton', onButton] as const, on, least: 4.5 })),
      ]
      return pairs
        .filter(({ one: [, colour], on, least }) => contrast(colour, on) < least)
        .map(({ one: [name, colour], on }) => `${scheme} ${surface}: ${name} ${colour} on ${on}`)
    })
  })
}

test.each(Object.entries({ delivered, ...careless }))(
  'every background is readable with a palette: %s',
  (_, palette) => {
    expect(tooLow(palette)).toEqual([])
  },
)

test('every background is readable with extreme palettes in many combinations', () => {
  const found = everyCombination().flatMap((palette) =>
    tooLow(palette).map((problem) => `${Object.values(palette)} ${problem}`),
  )
  expect(found).toEqual([])
})

test('the default palette keeps its own colours where they are readable', () => {
  const { tinted, accent } = surfaceColours(delivered, 'light')
  expect(tinted).toMatchObject({ ground: delivered.secondary, link: delivered.accent, button: delivered.accent })
  expect(accent).toMatchObject({ ground: delivered.accent, ink: delivered.light, button: delivered.light })
})
