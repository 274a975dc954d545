import type { BlockType } from '../../blocks/registry.ts'
import type { PageTemplate } from '../../contract/pages.ts'

/**
 * The templates of new pages in one language: the blocks of a page, in order, and the words in them. What only the
 * company can know, such as a figure or the name of a customer, stays the block's sample text; the editor warns before
 * such text is published. Placeholders such as `[brand]` are filled when a page is shown.
 */
export type PageTemplates = Record<
  PageTemplate,
  {
    /** The description of the page for search engines. */
    description: string
    /** `fields` replace those of the block's sample; `sampleItems`: how many sample items its list has; omitted: all. */
    blocks: readonly (readonly [type: BlockType, fields?: Record<string, unknown>, sampleItems?: number])[]
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
          subtitle: 'Wij staan naast u, van het eerste gesprek tot lang nadat het werk klaar is.',
        },
      ],
      [
        'text-image',
        {
          title: 'Wie wij zijn',
          text: '<p>[brand] is een bedrijf uit [legal.city]. Wij kennen onze klanten bij naam, zeggen vooraf wat iets kost en doen wat wij afspreken.</p>',
        },
      ],
      ['figures', { title: 'In het kort' }, 3],
      [
        'steps',
        {
          title: 'Zo werken wij',
          items: [
            { title: 'Kennismaken', text: 'Wij luisteren naar wat u zoekt, en zeggen eerlijk of wij het kunnen.' },
            { title: 'Voorstellen', text: 'U krijgt een plan met een vaste prijs en een datum.' },
            { title: 'Uitvoeren', text: 'U ziet tussendoor wat er staat, en stuurt bij zolang het nog kan.' },
          ],
        },
      ],
      ['team', { intro: 'Dit zijn de mensen die u aan de telefoon krijgt.' }, 3],
      ['gallery'],
      ['testimonials', {}, 2],
      ['cta', contactCta],
    ],
  },
  service: {
    description: 'Wat deze dienst van [brand] u oplevert, hoe het gaat en wat klanten ons vragen.',
    blocks: [
      ['text-image', { title: 'Wat u krijgt' }],
      [
        'steps',
        {
          title: 'Hoe het gaat',
          items: [
            { title: 'U vraagt', text: 'Een telefoontje of een bericht is genoeg.', when: 'Dag 1' },
            { title: 'Wij komen langs', text: 'Wij kijken mee en geven een vaste prijs.', when: 'Binnen een week' },
            {
              title: 'Het is klaar',
              text: 'Wij lopen het samen na, en u weet hoe alles werkt.',
              when: 'Op de afgesproken datum',
            },
          ],
        },
      ],
      [
        'faq',
        {
          title: 'Wat klanten vragen',
          items: [
            {
              question: 'Wat kost het?',
              answer: '<p>U krijgt vooraf een vaste prijs. Meerwerk doen wij alleen als u het zelf vraagt.</p>',
            },
            {
              question: 'Hoelang duurt het?',
              answer: '<p>Dat staat in het voorstel, met een datum waaraan u ons mag houden.</p>',
            },
          ],
        },
      ],
      ['testimonials', {}, 2],
      ['cta', contactCta],
    ],
  },
  project: {
    description: 'Een opdracht van [brand]: de vraag, de aanpak en het resultaat.',
    blocks: [
      ['text-image', { title: 'De vraag' }],
      ['text-image', { title: 'De aanpak' }],
      ['gallery'],
      ['figures', { title: 'Het resultaat' }, 3],
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
      ['figures', { title: 'Waarom het werkt' }, 3],
      ['testimonials', {}, 2],
      ['faq', { title: 'Voordat u kiest' }, 3],
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
            '<h2>Zo bereikt u ons</h2><p>Bellen mag altijd, mailen ook. Liever iets laten zien? Maak dan een afspraak; de koffie staat klaar.</p><ul><li>Telefoon: [legal.telephone]</li><li>E-mail: [legal.email]</li><li>Adres: [legal.street], [legal.postalCode] [legal.city]</li></ul>',
        },
      ],
      ['contact-form'],
    ],
  },
  faq: {
    description: 'Antwoorden van [brand] op de vragen die wij het vaakst krijgen.',
    blocks: [
      [
        'faq',
        {
          title: 'Vooraf',
          items: [
            {
              question: 'Wat kost een eerste gesprek?',
              answer: '<p>Niets. U vertelt wat u zoekt, en hoort of en hoe wij kunnen helpen.</p>',
            },
            {
              question: 'Werkt u ook buiten [legal.city]?',
              answer: '<p>Ja. Wij komen langs waar dat nodig is; reistijd staat vooraf in de offerte.</p>',
            },
          ],
        },
      ],
      [
        'faq',
        {
          title: 'Tijdens het werk',
          items: [
            {
              question: 'Met wie heb ik contact?',
              answer: '<p>Met één vaste persoon, van het eerste gesprek tot na de oplevering.</p>',
            },
            {
              question: 'Kan ik onderweg iets veranderen?',
              answer: '<p>Ja. U hoort meteen wat dat betekent voor de prijs en de datum, en beslist dan zelf.</p>',
            },
          ],
        },
      ],
      ['cta', { ...contactCta, title: 'Staat uw vraag er niet bij?' }],
    ],
  },
}
