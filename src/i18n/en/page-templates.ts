import type { Texts } from '../nl/index.ts'
import type { templateWords as dutch } from '../nl/page-templates.ts'

export const templateWords: Texts<typeof dutch> = {
  cta: {
    title: 'Shall we meet?',
    text: 'Tell us in a few sentences what you are looking for. We are happy to think along with you.',
    button: 'Contact us',
  },
  about: {
    description: 'Who [brand] is, how we work and what customers say about us.',
    hero: {
      title: 'About [brand]',
      subtitle: 'Read who we are, what we do and how we work.',
    },
    figures: 'At a glance',
    steps: 'How we work',
    team: 'These are the people of [brand].',
  },
  service: {
    description: 'What this service of [brand] brings you, how it goes and what customers ask us.',
    content: 'What you get',
    steps: 'How it goes',
    faq: 'What customers ask',
  },
  project: {
    description: 'A project by [brand]: the question, the approach and the result.',
    question: 'The question',
    approach: 'The approach',
    figures: 'The result',
    cta: 'Do you have a question like this?',
  },
  landing: {
    description: 'What [brand] offers, who it is for and how to ask for it.',
    offer: 'One offer, clearly explained',
    button: 'Ask for it',
    figures: 'Why it works',
    faq: 'Before you choose',
    cta: 'Is this for you?',
  },
  contact: {
    description: 'How to reach [brand]: by telephone, by email or with the form.',
    content:
      '<h2>How to reach us</h2><p>You can call us or send an email. Would you rather show us something? Make an appointment.</p><ul><li>Telephone: [legal.telephone]</li><li>Email: [legal.email]</li><li>Address: [legal.street], [legal.postalCode] [legal.city]</li></ul>',
  },
  faq: {
    description: 'Answers by [brand] to the questions that we hear most often.',
    before: 'Beforehand',
    during: 'During the work',
    cta: 'Is your question not here?',
  },
}
