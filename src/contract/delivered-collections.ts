import type { Collection } from './collections.ts'

/** The collections of the delivered configuration, which the settings offer to sites that have none of them. */
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
      { id: 'klant', name: { nl: 'Klant', fa: 'مشتری', en: 'Client' }, type: 'text', inList: true, inDetail: true },
      {
        id: 'foto',
        name: { nl: 'Afbeelding', fa: 'تصویر', en: 'Image' },
        type: 'picture',
        inList: true,
        inDetail: true,
      },
      { id: 'jaar', name: { nl: 'Jaar', fa: 'سال', en: 'Year' }, type: 'number', inList: true, inDetail: true },
      {
        id: 'resultaat',
        name: { nl: 'Resultaat', fa: 'نتیجه', en: 'Result' },
        type: 'text',
        inList: true,
        inDetail: true,
      },
      {
        id: 'diensten',
        name: { nl: 'Diensten', fa: 'خدمات', en: 'Services' },
        type: 'text',
        inList: false,
        inDetail: true,
      },
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
      { id: 'datum', name: { nl: 'Datum', fa: 'تاریخ', en: 'Date' }, type: 'date', inList: true, inDetail: true },
      {
        id: 'samenvatting',
        name: { nl: 'Samenvatting', fa: 'خلاصه', en: 'Summary' },
        type: 'text',
        inList: true,
        inDetail: false,
      },
      {
        id: 'foto',
        name: { nl: 'Afbeelding', fa: 'تصویر', en: 'Image' },
        type: 'picture',
        inList: true,
        inDetail: true,
      },
      {
        id: 'auteur',
        name: { nl: 'Auteur', fa: 'نویسنده', en: 'Author' },
        type: 'author',
        inList: false,
        inDetail: true,
      },
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
      {
        id: 'datum',
        name: { nl: 'Geplaatst op', fa: 'تاریخ انتشار', en: 'Posted on' },
        type: 'date',
        inList: true,
        inDetail: true,
      },
      {
        id: 'standplaats',
        name: { nl: 'Standplaats', fa: 'محل کار', en: 'Place of work' },
        type: 'text',
        inList: true,
        inDetail: true,
      },
      {
        id: 'uren',
        name: { nl: 'Uren per week', fa: 'ساعت در هفته', en: 'Hours per week' },
        type: 'text',
        inList: true,
        inDetail: true,
      },
      { id: 'salaris', name: { nl: 'Salaris', fa: 'حقوق', en: 'Salary' }, type: 'text', inList: false, inDetail: true },
    ],
  },
]
