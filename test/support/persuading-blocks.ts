import type { Locale } from '../../src/contract/locales.ts'

/** The URLs of the files in the blocks. */
export interface SampleFiles {
  landscape: string
  works: string[]
  faces: string[]
  logos: string[]
  film?: string
  captions?: string
  document?: string
}

/** The body of a page with every block that persuades customers (work, reviews, people, prices), filled as a company would. */
export function persuadingBlocks(locale: Locale, files: SampleFiles): object[] {
  const translate = (nl: string, fa: string) => (locale === 'nl' ? nl : fa)
  const [anna, sam] = files.faces
  return [
    {
      type: 'text-image',
      title: translate('Een bakkerij aan de Maas', 'نانوایی در کنار ماس'),
      text: translate(
        '<p>Sinds 1987 bakken wij elke nacht brood met meel van molens uit de buurt.</p><ul><li>Zuurdesem van eigen moeder</li><li>Zonder toevoegingen</li></ul>',
        '<p>از سال ۱۹۸۷ هر شب با آرد آسیاب‌های همین اطراف نان می‌پزیم.</p><ul><li>خمیر ترش خودمان</li><li>بدون افزودنی</li></ul>',
      ),
      src: files.landscape,
      alt: translate('Ochtend aan de rivier', 'صبح کنار رودخانه'),
      linkTitle: translate('Bekijk het brood', 'نان‌ها را ببینید'),
      url: '/#contact',
    },
    {
      type: 'text-image',
      title: translate('Langskomen', 'سر بزنید'),
      text: translate('<p>Wij zijn open vanaf zes uur.</p>', '<p>از ساعت شش باز هستیم.</p>'),
      src: files.landscape,
      alt: translate('De winkel', 'مغازه'),
      style: { side: 'start' },
    },
    {
      type: 'logos',
      title: translate('Zij gingen u voor', 'پیش از شما همراه ما بوده‌اند'),
      items: files.logos.map((picture, index) => ({
        picture,
        name: ['Bakker', 'De Brug', 'Roos', 'Molen'][index] ?? '',
        ...(index === 0 && { url: 'https://bakker.example/' }),
      })),
    },
    {
      type: 'cases',
      anchor: 'werk',
      title: translate('Ons werk', 'نمونه‌کارهای ما'),
      intro: translate('Drie websites waar wij trots op zijn.', 'سه وب‌سایتی که به آن‌ها می‌بالیم.'),
      items: files.works.map((src, index) => ({
        src,
        alt: translate('De homepage', 'صفحهٔ اصلی'),
        title: [
          translate('Bestellen voor tienen', 'سفارش تا ساعت ده'),
          translate('Een akte in drie stappen', 'سند در سه گام'),
          translate('Van tekening tot dak', 'از نقشه تا سقف'),
        ][index],
        client: [
          translate('Bakkerij Van Dael', 'نانوایی فان دال'),
          translate('Notaris De Brug', 'دفترخانهٔ پل'),
          translate('Bouwbedrijf Roos', 'ساختمانی رز'),
        ][index],
        year: String(2024 + index),
        text: translate('De bestellingen verdubbelden in een half jaar.', 'سفارش‌ها در شش ماه دو برابر شد.'),
        ...(index < 2 && { url: '/disclaimer' }),
      })),
    },
    {
      type: 'figures',
      title: '',
      items: [
        {
          value: '98',
          label: translate('van 100 voor snelheid', 'از ۱۰۰ برای سرعت'),
          note: translate('gemeten in mei', 'در ماه مه'),
        },
        { value: '14', label: translate('dagen tot online', 'روز تا انتشار') },
        {
          value: translate('2.400', '2٬400'),
          label: translate('klanten per maand', 'مشتری در ماه'),
          note: translate('gemiddeld', 'میانگین'),
        },
        { value: '24/7', label: translate('bewaakt', 'زیر نظر') },
      ],
    },
    {
      type: 'testimonials',
      title: translate('Wat klanten zeggen', 'مشتریان چه می‌گویند'),
      intro: translate('In hun eigen woorden.', 'با زبان خودشان.'),
      items: [
        {
          quote: translate(
            'Binnen twee weken stond alles online, en wij hoefden er niet naar om te kijken. De winkel staat sindsdien elke zaterdag vol.',
            'ظرف دو هفته همه‌چیز آنلاین شد و لازم نبود ما کاری بکنیم. از آن پس مغازه هر شنبه پر است.',
          ),
          name: 'Anna van Dael',
          role: translate('Eigenaar', 'مالک'),
          company: translate('Bakkerij Van Dael', 'نانوایی فان دال'),
          picture: anna,
        },
        {
          quote: translate('Eindelijk een site die ik zelf bijhoud.', 'بالاخره سایتی که خودم به‌روزش می‌کنم.'),
          name: 'Sam Roos',
          picture: sam,
        },
        {
          quote: translate(
            'Rustig, snel en helder. Precies wat een notaris nodig heeft.',
            'آرام، سریع و روشن؛ همان که یک دفترخانه می‌خواهد.',
          ),
          name: 'Mr. Iris de Brug',
          role: translate('Notaris', 'سردفتر'),
        },
      ],
    },
    {
      type: 'team',
      anchor: 'team',
      title: translate('Ons team', 'گروه ما'),
      items: [
        {
          picture: anna,
          name: 'Anna van Dael',
          role: translate('Ontwerp', 'طراحی'),
          text: translate('Tekent alles eerst met potlood.', 'همه‌چیز را اول با مداد می‌کشد.'),
          email: 'anna@maaslicht.example',
        },
        {
          picture: sam,
          name: 'Sam Roos',
          role: translate('Techniek', 'فنی'),
          linkTitle: 'LinkedIn',
          url: 'https://www.linkedin.com/',
        },
        { picture: anna, name: 'رویا مرادی', role: translate('Teksten', 'متن') },
      ],
    },
    {
      type: 'steps',
      title: translate('Zo werken wij', 'شیوهٔ کار ما'),
      items: [
        {
          title: translate('Kennismaken', 'آشنایی'),
          text: translate('Een uur aan tafel.', 'یک ساعت گفت‌وگو.'),
          when: translate('Dag 1', 'روز 1'),
        },
        {
          title: translate('Ontwerpen', 'طراحی'),
          text: translate('U ziet twee schetsen.', 'دو طرح می‌بینید.'),
          when: translate('Week 1', 'هفتهٔ 1'),
        },
        {
          title: translate('Bouwen', 'ساخت'),
          text: translate('Alles op uw eigen adres.', 'همه‌چیز روی نشانی خودتان.'),
          when: translate('Week 2', 'هفتهٔ 2'),
        },
        { title: translate('Online', 'انتشار'), text: translate('En wij blijven kijken.', 'و ما همراه می‌مانیم.') },
      ],
    },
    {
      type: 'comparison',
      title: translate('Wat past bij u?', 'کدام برای شما بهتر است؟'),
      columns: [
        { title: translate('Zelf doen', 'خودتان') },
        { title: translate('Met ons', 'با ما'), recommended: true },
        { title: translate('Een bureau', 'یک شرکت') },
      ],
      rows: [
        {
          title: translate('Online binnen twee weken', 'انتشار در دو هفته'),
          cells: [translate('nee', 'خیر'), translate('ja', 'بله'), translate('nee', 'خیر')],
        },
        {
          title: translate('Zelf teksten wijzigen', 'تغییر متن‌ها توسط خودتان'),
          cells: [translate('ja', 'بله'), translate('ja', 'بله'), translate('soms', 'گاهی')],
        },
        { title: translate('Uren per maand', 'ساعت در ماه'), cells: ['12', '0', '2'] },
      ],
    },
    {
      type: 'banner',
      text: translate(
        'Wij zijn gesloten van 24 december tot en met 2 januari.',
        'از ۲۴ دسامبر تا ۲ ژانویه تعطیل هستیم.',
      ),
      tone: 'important',
      linkTitle: translate('Mail ons', 'ایمیل بزنید'),
      url: 'mailto:[legal.email]',
    },
    {
      type: 'video',
      src: 'https://www.youtube.com/watch?v=aqz-KE-bpKQ',
      title: translate('Een dag in de bakkerij', 'یک روز در نانوایی'),
      picture: files.landscape,
      caption: translate('Twee minuten.', 'دو دقیقه.'),
    },
    ...(files.film
      ? [
          {
            type: 'video',
            src: files.film,
            title: translate('Onze oven', 'تنور ما'),
            picture: files.landscape,
            ...(files.captions && { captions: [{ file: files.captions, language: 'nl' }] }),
          },
        ]
      : []),
    ...(files.document
      ? [
          {
            type: 'download',
            items: [
              {
                file: files.document,
                title: translate('Prijslijst', 'فهرست قیمت'),
                text: translate('Geldig tot januari.', 'تا ژانویه.'),
              },
              { file: files.document, title: translate('Voorwaarden', 'شرایط') },
            ],
          },
        ]
      : []),
    {
      type: 'gallery',
      items: [files.landscape, ...files.works].map((src, index) => ({
        src,
        caption: index === 1 ? translate('De winkel', 'مغازه') : '',
      })),
    },
    {
      type: 'location',
      title: translate('Hier vindt u ons', 'ما را اینجا بیابید'),
      address: '[legal.name]\n[legal.street]\n[legal.postalCode] [legal.city]',
      text: translate('Parkeren kan voor de deur.', 'جای پارک جلوی در هست.'),
      src: files.landscape,
      alt: translate('Kaart van de buurt', 'نقشهٔ محله'),
    },
    { type: 'banner', text: translate('Nieuw: zuurdesem met walnoot.', 'تازه: نان خمیر ترش با گردو.') },
    { type: 'pricing', title: translate('Prijzen', 'تعرفه‌ها'), button: translate('Neem contact op', 'تماس بگیرید') },
    { type: 'subscriptions', title: translate('Abonnementen', 'اشتراک‌ها'), button: translate('Kies dit', 'انتخاب') },
  ]
}

/** A hero block. @param media the fields of its image or film */
export function heroWith(locale: Locale, media: object): object {
  const [title, subtitle, contact] =
    locale === 'nl'
      ? [
          'Vers van de Maas',
          'Wij bakken elke nacht, met meel van molens uit de buurt en zonder toevoegingen.',
          'Neem contact op',
        ]
      : ['تازه از کنار ماس', 'هر شب با آرد آسیاب‌های همین اطراف و بدون افزودنی نان می‌پزیم.', 'با ما تماس بگیرید']
  return { type: 'hero', title, subtitle, button: { title: contact, url: '/#contact' }, ...media }
}
