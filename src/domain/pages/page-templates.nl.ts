import type { BlockType } from '../../blocks/registry.ts'
import type { PageTemplate } from '../../contract/pages.ts'

/**
 * The templates of new pages in one language: the blocks of a page, in order, and the words in them. What only the
 * company can know or promise, such as a price or the name of a customer, stays the block's sample text; the editor warns
 * before such text is published. Placeholders such as `[brand]` are filled when a page is shown.
 */
export type PageTemplates = Record<
  PageTemplate,
  {
    /** The description of the page for search engines. */
    description: string
    /** `fields` replace those of the block's sample; `sampleItems`: which items of its list, as for `slice`; omitted: all. */
    blocks: readonly (readonly [
      type: BlockType,
      fields?: Record<string, unknown>,
      sampleItems?: readonly [start: number, end?: number],
    ])[]
  }
>

const contactCta = {
  title: 'Zullen we kennismaken?',
  text: 'Vertel in een paar zinnen wat u zoekt. Wij denken graag met u mee.',
  button: { title: 'Neem contact op', url: '/#contact' },
}

export const nlTemplates: PageTemplates = {
  about: {
    description: 'Wie [brand] is, hoe wij werken en wat klanten over ons zeggen.',
    blocks: [
      [
        'hero',
        {
          title: 'Over [brand]',
          subtitle: 'Lees wie wij zijn, wat wij doen en hoe wij werken.',
        },
      ],
      ['text-image'],
      ['figures', { title: 'In het kort' }, [0, 3]],
      ['steps', { title: 'Zo werken wij' }, [3]],
      ['team', { intro: 'Dit zijn de mensen van [brand].' }, [0, 3]],
      ['gallery'],
      ['testimonials', {}, [0, 2]],
      ['cta', contactCta],
    ],
  },
  service: {
    description: 'Wat deze dienst van [brand] u oplevert, hoe het gaat en wat klanten ons vragen.',
    blocks: [
      ['text-image', { title: 'Wat u krijgt' }],
      ['steps', { title: 'Hoe het gaat' }, [3]],
      ['faq', { title: 'Wat klanten vragen' }, [0, 2]],
      ['testimonials', {}, [0, 2]],
      ['cta', contactCta],
    ],
  },
  project: {
    description: 'Een opdracht van [brand]: de vraag, de aanpak en het resultaat.',
    blocks: [
      ['text-image', { title: 'De vraag' }],
      ['text-image', { title: 'De aanpak' }],
      ['gallery'],
      ['figures', { title: 'Het resultaat' }, [0, 3]],
      ['testimonial'],
      ['cta', { ...contactCta, title: 'Hebt u zo’n vraag?' }],
    ],
  },
  landing: {
    description: 'Wat [brand] u aanbiedt, voor wie het bedoeld is en hoe u het aanvraagt.',
    blocks: [
      [
        'text-image',
        {
          title: 'Eén aanbod, helder uitgelegd',
          linkTitle: 'Vraag het aan',
          url: '/#contact',
        },
      ],
      ['figures', { title: 'Waarom het werkt' }, [0, 3]],
      ['testimonials', {}, [0, 2]],
      ['faq', { title: 'Voordat u kiest' }, [0, 3]],
      ['cta', { ...contactCta, title: 'Is dit iets voor u?', button: { title: 'Vraag het aan', url: '/#contact' } }],
    ],
  },
  contact: {
    description: 'Zo bereikt u [brand]: per telefoon, per e-mail of met het formulier.',
    blocks: [
      [
        'rich-text',
        {
          content:
            '<h2>Zo bereikt u ons</h2><p>U kunt ons bellen of mailen. Liever iets laten zien? Maak dan een afspraak.</p><ul><li>Telefoon: [legal.telephone]</li><li>E-mail: [legal.email]</li><li>Adres: [legal.street], [legal.postalCode] [legal.city]</li></ul>',
        },
      ],
      ['contact-form'],
    ],
  },
  faq: {
    description: 'Antwoorden van [brand] op de vragen die wij het vaakst krijgen.',
    blocks: [
      ['faq', { title: 'Vooraf' }, [0, 4]],
      ['faq', { title: 'Tijdens het werk' }, [4]],
      ['cta', { ...contactCta, title: 'Staat uw vraag er niet bij?' }],
    ],
  },
}
