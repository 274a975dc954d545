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
          subtitle: 'Read who we are, what we do and how we work.',
        },
      ],
      ['text-image'],
      ['figures', { title: 'At a glance' }, [0, 3]],
      ['steps', { title: 'How we work' }, [3]],
      ['team', { intro: 'These are the people of [brand].' }, [0, 3]],
      ['gallery'],
      ['testimonials', {}, [0, 2]],
      ['cta', contactCta],
    ],
  },
  service: {
    description: 'What this service of [brand] brings you, how it goes and what customers ask us.',
    blocks: [
      ['text-image', { title: 'What you get' }],
      ['steps', { title: 'How it goes' }, [3]],
      ['faq', { title: 'What customers ask' }, [0, 2]],
      ['testimonials', {}, [0, 2]],
      ['cta', contactCta],
    ],
  },
  project: {
    description: 'A project by [brand]: the question, the approach and the result.',
    blocks: [
      ['text-image', { title: 'The question' }],
      ['text-image', { title: 'The approach' }],
      ['gallery'],
      ['figures', { title: 'The result' }, [0, 3]],
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
      ['figures', { title: 'Why it works' }, [0, 3]],
      ['testimonials', {}, [0, 2]],
      ['faq', { title: 'Before you choose' }, [0, 3]],
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
            '<h2>How to reach us</h2><p>You can call us or send an email. Would you rather show us something? Make an appointment.</p><ul><li>Telephone: [legal.telephone]</li><li>Email: [legal.email]</li><li>Address: [legal.street], [legal.postalCode] [legal.city]</li></ul>',
        },
      ],
      ['contact-form'],
    ],
  },
  faq: {
    description: 'Answers by [brand] to the questions that we hear most often.',
    blocks: [
      ['faq', { title: 'Beforehand' }, [0, 4]],
      ['faq', { title: 'During the work' }, [4]],
      ['cta', { ...contactCta, title: 'Is your question not here?' }],
    ],
  },
}
