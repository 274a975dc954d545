import { z } from 'zod'
import { type BlockType, blockSchema } from '../../blocks/registry.ts'
import { sampleOf } from '../../blocks/sample-texts.ts'
import { type AdminLocale, type Locale, sampleLocale } from '../../contract/locales.ts'
import type { PageTemplate, PageText } from '../../contract/pages.ts'
import { templateWords as en } from '../../i18n/en/page-templates.ts'
import { templateWords as fa } from '../../i18n/fa/page-templates.ts'
import type { Texts } from '../../i18n/nl/index.ts'
import { templateWords as nl } from '../../i18n/nl/page-templates.ts'

type Words = Texts<typeof nl>
const wordsByLocale: Record<AdminLocale, Words> = { nl, fa, en }

/** The initial content of a page from a template: the sample content of blocks, with the fields of the template. */
export function contentOfTemplate(template: PageTemplate, locale: Locale): Pick<PageText, 'description' | 'body'> {
  const words = wordsByLocale[sampleLocale(locale)]
  const body = blocksOf(words)[template].map(([type, fields, sampleItems]) => {
    const sample: { items?: object[] } = structuredClone(sampleOf(type, sampleLocale(locale)))
    if (sampleItems) sample.items = sample.items?.slice(...sampleItems)
    return { type, ...sample, ...fields }
  })
  return { description: words[template].description, body: z.array(blockSchema).parse(body) }
}

/** `fields` replace those of the block's sample; `sampleItems`: which items of its list, as for `slice`; omitted: all. */
type TemplateBlock = readonly [
  type: BlockType,
  fields?: Record<string, unknown>,
  sampleItems?: readonly [start: number, end?: number],
]

/** The blocks of each template, in order. */
function blocksOf(words: Words): Record<PageTemplate, readonly TemplateBlock[]> {
  const { about, service, project, landing, contact, faq } = words
  const url = '/#contact'
  const cta = (own: { title?: string; button?: string } = {}): TemplateBlock => {
    const { title, text, button } = { ...words.cta, ...own }
    return ['cta', { title, text, button: { title: button, url } }]
  }
  return {
    about: [
      ['hero', about.hero],
      ['text-image'],
      ['figures', { title: about.figures }, [0, 3]],
      ['steps', { title: about.steps }, [3]],
      ['team', { intro: about.team }, [0, 3]],
      ['gallery'],
      ['testimonials', {}, [0, 2]],
      cta(),
    ],
    service: [
      ['text-image', { title: service.content }],
      ['steps', { title: service.steps }, [3]],
      ['faq', { title: service.faq }, [0, 2]],
      ['testimonials', {}, [0, 2]],
      cta(),
    ],
    project: [
      ['text-image', { title: project.question }],
      ['text-image', { title: project.approach }],
      ['gallery'],
      ['figures', { title: project.figures }, [0, 3]],
      ['testimonial'],
      cta({ title: project.cta }),
    ],
    landing: [
      ['text-image', { title: landing.offer, linkTitle: landing.button, url }],
      ['figures', { title: landing.figures }, [0, 3]],
      ['testimonials', {}, [0, 2]],
      ['faq', { title: landing.faq }, [0, 3]],
      cta({ title: landing.cta, button: landing.button }),
    ],
    contact: [['rich-text', { content: contact.content }], ['contact-form']],
    faq: [['faq', { title: faq.before }, [0, 4]], ['faq', { title: faq.during }, [4]], cta({ title: faq.cta })],
  }
}
