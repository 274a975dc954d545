import type { ValidationKey } from './errors.ts'

/**
 * What the schemas of content say is wanted, in the words for an operator. At a screen the reader gets those of the key,
 * in their own language.
 */
export const wanted = {
  colour: 'A colour like #10B981 is wanted',
  time: 'A time like 09:00 is wanted',
  closesFirst: 'It closes before it opens',
  picturePath: 'The path of an svg, png, jpg or webp under public is wanted, like /logo.svg, or that of an upload',
  origin: 'Scheme and host alone are wanted, like https://www.example.nl',
  itemId: 'Small letters, digits and - are wanted',
  kvk: 'Eight digits are wanted',
  vatId: 'A number like NL001234567B01 is wanted',
  country: 'The two letters of a country are wanted, like NL',
  pageTooLarge: 'The blocks of a page hold too much together',
  control: 'Control characters and broken letters cannot stand in it',
  twice: 'Each can stand in it once',
  dutchStays: 'Dutch cannot be left out: it is what the others fall back to',
  contactFields: 'naam, email, tel and bericht, each once',
  url: 'An address of this site, of the web, mailto: or tel: is wanted',
} as const satisfies Partial<Record<ValidationKey, string>>

/** The key whose words an operator was told. */
export const keyOfWanted = (message: string): ValidationKey | undefined => keys.get(message)

const keys = new Map(Object.entries(wanted).map(([key, text]) => [text as string, key as ValidationKey]))
