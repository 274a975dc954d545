import type { PageTemplates } from './page-templates.nl.ts'

const contactCta = {
  title: 'Shall we meet?',
  text: 'Tell us in a few sentences what you are looking for. We are happy to think along with you.',
  button: { title: 'Contact us', url: '/#contact' },
}

export const enTemplates: PageTemplates = {
  about: {
    description: 'Who [brand] is, how we work and what customers say about us.',
    blocks: [
      [
        'hero',
        {
          title: 'About [brand]',
          subtitle: 'We stand beside you, from the first conversation until long after the work is done.',
        },
      ],
      [
        'text-image',
        {
          title: 'Who we are',
          text: '<p>[brand] is a company from [legal.city]. We know our customers by name, say beforehand what something costs and do what we promise.</p>',
        },
      ],
      ['figures', { title: 'At a glance' }, 3],
      [
        'steps',
        {
          title: 'How we work',
          items: [
            { title: 'Meet', text: 'We listen to what you are looking for, and say honestly whether we can do it.' },
            { title: 'Propose', text: 'You receive a plan with a fixed price and a date.' },
            { title: 'Deliver', text: 'You see the work as it grows, and can adjust it while there is still time.' },
          ],
        },
      ],
      ['team', { intro: 'These are the people who answer when you call.' }, 3],
      ['gallery'],
      ['testimonials', {}, 2],
      ['cta', contactCta],
    ],
  },
  service: {
    description: 'What this service of [brand] brings you, how it goes and what customers ask us.',
    blocks: [
      ['text-image', { title: 'What you get' }],
      [
        'steps',
        {
          title: 'How it goes',
          items: [
            { title: 'You ask', text: 'A phone call or a message is enough.', when: 'Day 1' },
            { title: 'We visit you', text: 'We have a look and give a fixed price.', when: 'Within a week' },
            {
              title: 'It is ready',
              text: 'We go through it together, so that you know how everything works.',
              when: 'On the agreed date',
            },
          ],
        },
      ],
      [
        'faq',
        {
          title: 'What customers ask',
          items: [
            {
              question: 'What does it cost?',
              answer: '<p>You receive a fixed price beforehand. We do extra work only if you ask for it.</p>',
            },
            {
              question: 'How long does it take?',
              answer: '<p>That is in the proposal, with a date that you can hold us to.</p>',
            },
          ],
        },
      ],
      ['testimonials', {}, 2],
      ['cta', contactCta],
    ],
  },
  project: {
    description: 'A project by [brand]: the question, the approach and the result.',
    blocks: [
      ['text-image', { title: 'The question' }],
      ['text-image', { title: 'The approach' }],
      ['gallery'],
      ['figures', { title: 'The result' }, 3],
      ['testimonial'],
      ['cta', { ...contactCta, title: 'Do you have a question like this?' }],
    ],
  },
  landing: {
    description: 'What [brand] offers, who it is for and how to ask for it.',
    blocks: [
      [
        'text-image',
        {
          title: 'One offer, clearly explained',
          linkTitle: 'Ask for it',
          url: '/#contact',
        },
      ],
      ['figures', { title: 'Why it works' }, 3],
      ['testimonials', {}, 2],
      ['faq', { title: 'Before you choose' }, 3],
      ['cta', { ...contactCta, title: 'Is this for you?', button: { title: 'Ask for it', url: '/#contact' } }],
    ],
  },
  contact: {
    description: 'How to reach [brand]: by telephone, by email or with the form.',
    blocks: [
      [
        'rich-text',
        {
          content:
            '<h2>How to reach us</h2><p>You are welcome to call or to send an email. Would you rather show us something? Make an appointment; the coffee is ready.</p><ul><li>Telephone: [legal.telephone]</li><li>Email: [legal.email]</li><li>Address: [legal.street], [legal.postalCode] [legal.city]</li></ul>',
        },
      ],
      ['contact-form'],
    ],
  },
  faq: {
    description: 'Answers by [brand] to the questions that we hear most often.',
    blocks: [
      [
        'faq',
        {
          title: 'Beforehand',
          items: [
            {
              question: 'What does a first conversation cost?',
              answer: '<p>Nothing. You tell us what you are looking for, and hear whether and how we can help.</p>',
            },
            {
              question: 'Do you also work outside [legal.city]?',
              answer: '<p>Yes. We visit where that is needed; travel time is in the quote beforehand.</p>',
            },
          ],
        },
      ],
      [
        'faq',
        {
          title: 'During the work',
          items: [
            {
              question: 'Who is my contact?',
              answer: '<p>One person, from the first conversation until after delivery.</p>',
            },
            {
              question: 'Can I change something along the way?',
              answer:
                '<p>Yes. You hear at once what that means for the price and the date, and then decide yourself.</p>',
            },
          ],
        },
      ],
      ['cta', { ...contactCta, title: 'Is your question not here?' }],
    ],
  },
}
