/**
 * The words in the templates of new pages; `domain/pages/page-templates.ts` has their blocks. What only the company can
 * know or promise, such as a price or the name of a customer, stays the block's sample text; the editor warns before such text is
 * published. Placeholders such as `[brand]` are filled when a page is shown.
 */
export const templateWords = {
  cta: {
    title: 'Zullen we kennismaken?',
    text: 'Vertel in een paar zinnen wat u zoekt. Wij denken graag met u mee.',
    button: 'Neem contact op',
  },
  about: {
    description: 'Wie [brand] is, hoe wij werken en wat klanten over ons zeggen.',
    hero: {
      title: 'Over [brand]',
      subtitle: 'Lees wie wij zijn, wat wij doen en hoe wij werken.',
    },
    figures: 'In het kort',
    steps: 'Zo werken wij',
    team: 'Dit zijn de mensen van [brand].',
  },
  service: {
    description: 'Wat deze dienst van [brand] u oplevert, hoe het gaat en wat klanten ons vragen.',
    content: 'Wat u krijgt',
    steps: 'Hoe het gaat',
    faq: 'Wat klanten vragen',
  },
  project: {
    description: 'Een opdracht van [brand]: de vraag, de aanpak en het resultaat.',
    question: 'De vraag',
    approach: 'De aanpak',
    figures: 'Het resultaat',
    cta: 'Hebt u zo’n vraag?',
  },
  landing: {
    description: 'Wat [brand] u aanbiedt, voor wie het bedoeld is en hoe u het aanvraagt.',
    offer: 'Eén aanbod, helder uitgelegd',
    button: 'Vraag het aan',
    figures: 'Waarom het werkt',
    faq: 'Voordat u kiest',
    cta: 'Is dit iets voor u?',
  },
  contact: {
    description: 'Zo bereikt u [brand]: per telefoon, per e-mail of met het formulier.',
    content:
      '<h2>Zo bereikt u ons</h2><p>U kunt ons bellen of mailen. Liever iets laten zien? Maak dan een afspraak.</p><ul><li>Telefoon: [legal.telephone]</li><li>E-mail: [legal.email]</li><li>Adres: [legal.street], [legal.postalCode] [legal.city]</li></ul>',
  },
  faq: {
    description: 'Antwoorden van [brand] op de vragen die wij het vaakst krijgen.',
    before: 'Vooraf',
    during: 'Tijdens het werk',
    cta: 'Staat uw vraag er niet bij?',
  },
}
