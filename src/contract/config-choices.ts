/** The options of the site's appearance, `look` in the configuration; the defaults are `defaultAppearance`. */
export const appearanceOptions = {
  scale: ['calm', 'normal', 'loud'],
  corners: ['square', 'soft', 'round'],
  edges: ['wave', 'straight', 'slant'],
  buttons: ['solid', 'outline', 'pill'],
  fonts: ['grotesque', 'geometric', 'humanist', 'editorial', 'rounded', 'condensed', 'classic'],
  header: ['bar', 'centered', 'split', 'minimal'],
  illustration: ['river', 'hills', 'tiles', 'paper', 'none'],
  search: ['off', 'field'],
  headings: ['underlined', 'middle', 'ruled', 'numbered'],
  panels: ['raised', 'lined', 'banded'],
} as const
export const defaultAppearance = {
  scale: 'normal',
  corners: 'soft',
  edges: 'wave',
  buttons: 'solid',
  fonts: 'grotesque',
  header: 'bar',
  illustration: 'river',
  search: 'off',
  headings: 'underlined',
  panels: 'raised',
} as const satisfies { [Name in keyof typeof appearanceOptions]: (typeof appearanceOptions)[Name][number] }
/** A font for headings and one for texts, each in Latin and in Persian script; defined in `build/site-fonts.ts`. */
export type FontPair = (typeof appearanceOptions.fonts)[number]

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
export type Weekday = (typeof weekdays)[number]

/** The kinds of structured data on the pages of a collection's entries, for search engines. */
export const collectionKinds = ['news', 'project', 'vacancy'] as const

/** The types of fields that entries of a collection can have in addition to their text. */
export const entryFieldTypes = [
  'text',
  'richText',
  'picture',
  'file',
  'date',
  'number',
  'price',
  'choice',
  'link',
  'author',
] as const
