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

/** A page of the blocks that show work, customers and people, filled as a company would. */
export function persuadingBlocks(locale: Locale, files: SampleFiles): object[] {
  const say = (nl: string, fa: string) => (locale === 'nl' ? nl : fa)
  const [anna, sam] = files.faces
  return [
    {
      type: 'text-image',
      title: say('Een bakkerij aan de Maas', 'نانوایی در کنار ماس'),
      text: say(
        '<p>Sinds 1987 bakken wij elke nacht brood met meel van molens uit de buurt.</p><ul><li>Zuurdesem van eigen moeder</li><li>Zonder toevoegingen</li></ul>',
        '<p>از سال ۱۹۸۷ هر شب با آرد آسیاب‌های همین اطراف نان می‌پزیم.</p><ul><li>خمیر ترش خودمان</li><li>بدون افزودنی</li></ul>',
      ),
      src: files.landscape,
      alt: say('Ochtend aan de rivier', 'صبح کنار رودخانه'),
      linkTitle: say('Bekijk het brood', 'نان‌ها را ببینید'),
      url: '/#contact',
    },
    {
      type: 'text-image',
      title: say('Langskomen', 'سر بزنید'),
      text: say('<p>Wij zijn open vanaf zes uur.</p>', '<p>از ساعت شش باز هستیم.</p>'),
      src: files.landscape,
      alt: say('De winkel', 'مغازه'),
      style: { side: 'start' },
    },
    {
      type: 'logos',
      title: say('Zij gingen u voor', 'پیش از شما همراه ما بوده‌اند'),
      items: files.logos.map((picture, index) => ({
        picture,
        name: ['Bakker', 'De Brug', 'Roos', 'Molen'][index] ?? '',
        ...(index === 0 && { url: 'https://bakker.example/' }),
      })),
    },
    {
      type: 'cases',
      anchor: 'werk',
      title: say('Ons werk', 'نمونه‌کارهای ما'),
      intro: say('Drie websites waar wij trots op zijn.', 'سه وب‌سایتی که به آن‌ها می‌بالیم.'),
      items: files.works.map((src, index) => ({
        src,
        alt: say('De homepage', 'صفحهٔ اصلی'),
        title: [
          say('Bestellen voor tienen', 'سفارش تا ساعت ده'),
          say('Een akte in drie stappen', 'سند در سه گام'),
          say('Van tekening tot dak', 'از نقشه تا سقف'),
        ][index],
        client: [
          say('Bakkerij Van Dael', 'نانوایی فان دال'),
          say('Notaris De Brug', 'دفترخانهٔ پل'),
          say('Bouwbedrijf Roos', 'ساختمانی رز'),
        ][index],
        year: String(2024 + index),
        text: say('De bestellingen verdubbelden in een half jaar.', 'سفارش‌ها در شش ماه دو برابر شد.'),
        ...(index < 2 && { url: '/disclaimer' }),
      })),
    },
    {
      type: 'figures',
      title: '',
      items: [
        {
          value: '98',
          label: say('van 100 voor snelheid', 'از ۱۰۰ برای سرعت'),
          note: say('gemeten in mei', 'در ماه مه'),
        },
        { value: '14', label: say('dagen tot online', 'روز تا انتشار') },
        {
          value: say('2.400', '2٬400'),
          label: say('klanten per maand', 'مشتری در ماه'),
          note: say('gemiddeld', 'میانگین'),
        },
        { value: '24/7', label: say('bewaakt', 'زیر نظر') },
      ],
    },
    {
      type: 'testimonials',
      title: say('Wat klanten zeggen', 'مشتریان چه می‌گویند'),
      intro: say('In hun eigen woorden.', 'با زبان خودشان.'),
      items: [
        {
          quote: say(
            'Binnen twee weken stond alles online, en wij hoefden er niet naar om te kijken. De winkel staat sindsdien elke zaterdag vol.',
            'ظرف دو هفته همه‌چیز آنلاین شد و لازم نبود ما کاری بکنیم. از آن پس مغازه هر شنبه پر است.',
          ),
          name: 'Anna van Dael',
          role: say('Eigenaar', 'مالک'),
          company: say('Bakkerij Van Dael', 'نانوایی فان دال'),
          picture: anna,
        },
        {
          quote: say('Eindelijk een site die ik zelf bijhoud.', 'بالاخره سایتی که خودم به‌روزش می‌کنم.'),
          name: 'Sam Roos',
          picture: sam,
        },
        {
          quote: say(
            'Rustig, snel en helder. Precies wat een notaris nodig heeft.',
            'آرام، سریع و روشن؛ همان که یک دفترخانه می‌خواهد.',
          ),
          name: 'Mr. Iris de Brug',
          role: say('Notaris', 'سردفتر'),
        },
      ],
    },
    {
      type: 'team',
      anchor: 'team',
      title: say('Ons team', 'گروه ما'),
      items: [
        {
          picture: anna,
          name: 'Anna van Dael',
          role: say('Ontwerp', 'طراحی'),
          text: say('Tekent alles eerst met potlood.', 'همه‌چیز را اول با مداد می‌کشد.'),
          email: 'anna@maaslicht.example',
        },
        {
          picture: sam,
          name: 'Sam Roos',
          role: say('Techniek', 'فنی'),
          linkTitle: 'LinkedIn',
          url: 'https://www.linkedin.com/',
        },
        { picture: anna, name: 'رویا مرادی', role: say('Teksten', 'متن') },
      ],
    },
    {
      type: 'steps',
      title: say('Zo werken wij', 'شیوهٔ کار ما'),
      items: [
        {
          title: say('Kennismaken', 'آشنایی'),
          text: say('Een uur aan tafel.', 'یک ساعت گفت‌وگو.'),
          when: say('Dag 1', 'روز 1'),
        },
        {
          title: say('Ontwerpen', 'طراحی'),
          text: say('U ziet twee schetsen.', 'دو طرح می‌بینید.'),
          when: say('Week 1', 'هفتهٔ 1'),
        },
        {
          title: say('Bouwen', 'ساخت'),
          text: say('Alles op uw eigen adres.', 'همه‌چیز روی نشانی خودتان.'),
          when: say('Week 2', 'هفتهٔ 2'),
        },
        { title: say('Online', 'انتشار'), text: say('En wij blijven kijken.', 'و ما همراه می‌مانیم.') },
      ],
    },
    {
      type: 'comparison',
      title: say('Wat past bij u?', 'کدام برای شما بهتر است؟'),
      columns: [
        { title: say('Zelf doen', 'خودتان') },
        { title: say('Met ons', 'با ما'), recommended: true },
        { title: say('Een bureau', 'یک شرکت') },
      ],
      rows: [
        {
          title: say('Online binnen twee weken', 'انتشار در دو هفته'),
          cells: [say('nee', 'خیر'), say('ja', 'بله'), say('nee', 'خیر')],
        },
        {
          title: say('Zelf teksten wijzigen', 'تغییر متن‌ها توسط خودتان'),
          cells: [say('ja', 'بله'), say('ja', 'بله'), say('soms', 'گاهی')],
        },
        { title: say('Uren per maand', 'ساعت در ماه'), cells: ['12', '0', '2'] },
      ],
    },
    {
      type: 'banner',
      text: say('Wij zijn gesloten van 24 december tot en met 2 januari.', 'از ۲۴ دسامبر تا ۲ ژانویه تعطیل هستیم.'),
      tone: 'important',
      linkTitle: say('Mail ons', 'ایمیل بزنید'),
      url: 'mailto:[legal.email]',
    },
    {
      type: 'video',
      src: 'https://www.youtube.com/watch?v=aqz-KE-bpKQ',
      title: say('Een dag in de bakkerij', 'یک روز در نانوایی'),
      picture: files.landscape,
      caption: say('Twee minuten.', 'دو دقیقه.'),
    },
    ...(files.film
      ? [
          {
            type: 'video',
            src: files.film,
            title: say('Onze oven', 'تنور ما'),
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
                title: say('Prijslijst', 'فهرست قیمت'),
                text: say('Geldig tot januari.', 'تا ژانویه.'),
              },
              { file: files.document, title: say('Voorwaarden', 'شرایط') },
            ],
          },
        ]
      : []),
    {
      type: 'gallery',
      items: [files.landscape, ...files.works].map((src, index) => ({
        src,
        caption: index === 1 ? say('De winkel', 'مغازه') : '',
      })),
    },
    {
      type: 'location',
      title: say('Hier vindt u ons', 'ما را اینجا بیابید'),
      address: '[legal.name]\n[legal.street]\n[legal.postalCode] [legal.city]',
      text: say('Parkeren kan voor de deur.', 'جای پارک جلوی در هست.'),
      src: files.landscape,
      alt: say('Kaart van de buurt', 'نقشهٔ محله'),
    },
    { type: 'banner', text: say('Nieuw: zuurdesem met walnoot.', 'تازه: نان خمیر ترش با گردو.') },
    { type: 'pricing', title: say('Prijzen', 'تعرفه‌ها'), button: say('Neem contact op', 'تماس بگیرید') },
    { type: 'subscriptions', title: say('Abonnementen', 'اشتراک‌ها'), button: say('Kies dit', 'انتخاب') },
  ]
}

/** A hero with each kind of picture. */
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
