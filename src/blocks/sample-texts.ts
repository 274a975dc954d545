import { type AdminLocale, adminLocales } from '../contract/locales.ts'
import type { StoredBlock } from '../contract/site-config.ts'
import { everyBlock, textsAt } from './block-contents.ts'
import { type BlockType, blocks } from './registry.ts'

/**
 * Further items for the list `items` of new blocks, for page templates that need several. Apart from the blocks, because only
 * page templates and the check before publishing need them.
 */
const moreItems: Partial<Record<BlockType, Record<AdminLocale, object[]>>> = {
  faq: {
    nl: [
      { question: 'Wat kost het?', answer: '<p>Schrijf hier uw prijs, of waarvan die afhangt.</p>' },
      { question: 'Wat hebt u van mij nodig?', answer: '<p>Schrijf hier wat uw klant klaarlegt.</p>' },
      { question: 'Werkt u ook buiten [legal.city]?', answer: '<p>Schrijf hier waar u werkt.</p>' },
      { question: 'Met wie heb ik contact?', answer: '<p>Schrijf hier wie uw klant te spreken krijgt.</p>' },
      { question: 'Kan ik onderweg iets veranderen?', answer: '<p>Schrijf hier hoe u met wijzigingen omgaat.</p>' },
    ],
    fa: [
      { question: 'هزینه‌اش چقدر است؟', answer: '<p>قیمت خود را، یا آنچه قیمت به آن بستگی دارد، اینجا بنویسید.</p>' },
      { question: 'چه چیزی از من لازم دارید؟', answer: '<p>آنچه را مشتری شما باید آماده کند، اینجا بنویسید.</p>' },
      { question: 'بیرون از [legal.city] هم کار می‌کنید؟', answer: '<p>اینجا بنویسید در کجاها کار می‌کنید.</p>' },
      { question: 'با چه کسی در تماس خواهم بود؟', answer: '<p>اینجا بنویسید مشتری با چه کسی صحبت می‌کند.</p>' },
      {
        question: 'می‌توانم در حین کار چیزی را عوض کنم؟',
        answer: '<p>اینجا بنویسید اگر مشتری تغییری بخواهد، چه می‌کنید.</p>',
      },
    ],
    en: [
      { question: 'What does it cost?', answer: '<p>Write your price here, or what it depends on.</p>' },
      { question: 'What do you need from me?', answer: '<p>Write here what your customer prepares.</p>' },
      { question: 'Do you also work outside [legal.city]?', answer: '<p>Write here where you work.</p>' },
      { question: 'Who is my contact?', answer: '<p>Write here who your customer talks to.</p>' },
      { question: 'Can I change something along the way?', answer: '<p>Write here how you handle changes.</p>' },
    ],
  },
  figures: {
    nl: [
      { value: '24 uur', label: 'Hoe snel u bent' },
      { value: '9,5', label: 'Hoe klanten u beoordelen' },
    ],
    fa: [
      { value: '24 ساعت', label: 'سرعت کار شما' },
      { value: '9٫5', label: 'امتیازی که مشتریان به شما می‌دهند' },
    ],
    en: [
      { value: '24 hours', label: 'How fast you are' },
      { value: '9.5', label: 'How customers rate you' },
    ],
  },
  steps: {
    nl: [
      { title: 'Kennismaken', text: 'Schrijf hier hoe een klant met u kennismaakt.' },
      { title: 'Voorstellen', text: 'Schrijf hier wat er in uw voorstel staat.' },
      { title: 'Uitvoeren', text: 'Schrijf hier hoe uw klant het werk volgt.' },
    ],
    fa: [
      { title: 'آشنایی', text: 'اینجا بنویسید آشنایی با مشتری چگونه آغاز می‌شود.' },
      { title: 'پیشنهاد', text: 'اینجا بنویسید در پیشنهاد شما چه چیزهایی می‌آید.' },
      { title: 'اجرا', text: 'اینجا بنویسید مشتری چگونه از پیشرفت کار باخبر می‌شود.' },
    ],
    en: [
      { title: 'Meet', text: 'Write here how a customer gets to know you.' },
      { title: 'Propose', text: 'Write here what is in your proposal.' },
      { title: 'Deliver', text: 'Write here how your customer follows the work.' },
    ],
  },
  team: {
    nl: [
      { name: 'Naam van een collega', role: 'Functie van die collega' },
      { name: 'Naam van nog een collega', role: 'Wat die collega doet' },
    ],
    fa: [
      { name: 'نام یک همکار', role: 'سمت آن همکار' },
      { name: 'نام همکاری دیگر', role: 'کار آن همکار' },
    ],
    en: [
      { name: 'Name of a colleague', role: 'Position of that colleague' },
      { name: 'Name of another colleague', role: 'What that colleague does' },
    ],
  },
  testimonials: {
    nl: [{ quote: 'Schrijf hier wat een andere klant zegt.', name: 'Naam van een andere klant' }],
    fa: [{ quote: 'گفتهٔ مشتری دیگری را اینجا بنویسید.', name: 'نام مشتری دیگر' }],
    en: [{ quote: 'Write here what another customer says.', name: 'Name of another customer' }],
  },
}

/** The fields of a new block in a language, with the further items. */
export function sampleOf(type: BlockType, locale: AdminLocale): object {
  const sample = blocks[type].defaults[locale] as { items?: object[] }
  const more = moreItems[type]?.[locale]
  return more ? { ...sample, items: [...(sample.items ?? []), ...more] } : sample
}

/** The blocks of a page, including nested ones, that still contain sample text. */
export function blocksWithSampleText(body: readonly StoredBlock[]): StoredBlock[] {
  sampleTexts ??= collectSampleTexts()
  return everyBlock(body).filter((block) =>
    sampleTextPathsOf(block.type).some((path) =>
      textsAt(block, path).some((text) => sampleTexts?.get(block.type + path)?.has(text)),
    ),
  )
}

/** By type and path (`faqitems.answer`), in all languages: a translation may start as a copy of another text. */
let sampleTexts: ReadonlyMap<string, ReadonlySet<string>> | undefined

function collectSampleTexts() {
  const samples = (Object.keys(blocks) as BlockType[]).flatMap((type) =>
    adminLocales.map((locale) => ({ type, ...sampleOf(type, locale) }) as StoredBlock),
  )
  const texts = new Map<string, Set<string>>()
  // Sample text in the columns of a new block counts too.
  for (const block of everyBlock(samples)) {
    for (const path of sampleTextPathsOf(block.type)) {
      const key = block.type + path
      texts.set(key, new Set([...(texts.get(key) ?? []), ...textsAt(block, path)]))
    }
  }
  return texts
}

const sampleTextPathsOf = (type: string): readonly string[] => {
  const block: { sampleTextPaths?: readonly string[] } | undefined = blocks[type as BlockType]
  return block?.sampleTextPaths ?? []
}
