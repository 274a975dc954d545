import type { Collection, EntryField } from './collections.ts'

/** The collections of the default configuration, which the settings offer to sites without them. */
export const deliveredCollections: readonly Collection[] = [
  {
    id: 'projecten',
    name: { nl: 'Projecten', fa: 'پروژه‌ها', en: 'Projects' },
    slug: { nl: 'projecten', en: 'projects' },
    intro: {
      nl: 'Wat wij maakten, voor wie, en wat het opleverde.',
      fa: 'آنچه ساخته‌ایم، برای چه کسی، و حاصل آن.',
      en: 'What we made, for whom, and what came of it.',
    },
    kind: 'project',
    order: 'newest',
    pageSize: 12,
    fields: [
      field('klant', 'text', 'both', { nl: 'Klant', fa: 'مشتری', en: 'Client' }),
      field('foto', 'picture', 'both', { nl: 'Afbeelding', fa: 'تصویر', en: 'Image' }),
      field('jaar', 'number', 'both', { nl: 'Jaar', fa: 'سال', en: 'Year' }),
      field('resultaat', 'text', 'both', { nl: 'Resultaat', fa: 'نتیجه', en: 'Result' }),
      field('diensten', 'text', 'page', { nl: 'Diensten', fa: 'خدمات', en: 'Services' }),
    ],
  },
  {
    id: 'nieuws',
    name: { nl: 'Nieuws', fa: 'خبرها', en: 'News' },
    slug: { nl: 'nieuws', en: 'news' },
    kind: 'news',
    order: 'newest',
    pageSize: 12,
    fields: [
      field('datum', 'date', 'both', { nl: 'Datum', fa: 'تاریخ', en: 'Date' }),
      field('samenvatting', 'text', 'list', { nl: 'Samenvatting', fa: 'خلاصه', en: 'Summary' }),
      field('foto', 'picture', 'both', { nl: 'Afbeelding', fa: 'تصویر', en: 'Image' }),
      field('auteur', 'author', 'page', { nl: 'Auteur', fa: 'نویسنده', en: 'Author' }),
    ],
  },
  {
    id: 'vacatures',
    name: { nl: 'Vacatures', fa: 'فرصت‌های شغلی', en: 'Vacancies' },
    slug: { nl: 'vacatures', en: 'vacancies' },
    kind: 'vacancy',
    order: 'newest',
    pageSize: 12,
    fields: [
      field('datum', 'date', 'both', { nl: 'Geplaatst op', fa: 'تاریخ انتشار', en: 'Posted on' }),
      field('standplaats', 'text', 'both', { nl: 'Standplaats', fa: 'محل کار', en: 'Place of work' }),
      field('uren', 'text', 'both', { nl: 'Uren per week', fa: 'ساعت در هفته', en: 'Hours per week' }),
      field('salaris', 'text', 'page', { nl: 'Salaris', fa: 'حقوق', en: 'Salary' }),
    ],
  },
]

/** Defines a field. @param shown in the overview (`list`), on the page of the entry, or on both */
function field(
  id: string,
  type: EntryField['type'],
  shown: 'list' | 'page' | 'both',
  name: EntryField['name'],
): EntryField {
  return { id, name, type, inList: shown !== 'page', inDetail: shown !== 'list' }
}
