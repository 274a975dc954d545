/** The configuration of a form in two steps, with a field of most kinds. */
export const quoteForm = {
  id: 'offerte',
  name: { nl: 'Offerte aanvragen', fa: 'درخواست پیش‌فاکتور' },
  recipients: ['verkoop@maaslicht.example'],
  subject: 'Nieuwe offerteaanvraag via [brand]',
  retentionDays: 90,
  thanks: {
    title: { nl: 'Bedankt voor uw aanvraag!', fa: 'از درخواست شما سپاسگزاریم!' },
    text: { nl: 'U krijgt binnen twee dagen een offerte.', fa: 'تا دو روز دیگر پیش‌فاکتور می‌گیرید.' },
  },
  fields: [
    { id: 'naam', kind: 'text', label: { nl: 'Naam', fa: 'نام' }, required: true },
    { id: 'email', kind: 'email', label: { nl: 'E-mailadres', fa: 'ایمیل' }, required: true },
    { id: 'telefoon', kind: 'tel', label: { nl: 'Telefoon', fa: 'تلفن' } },
    { id: 'stap-wensen', kind: 'step', label: { nl: 'Uw wensen', fa: 'خواسته‌های شما' } },
    {
      id: 'soort',
      kind: 'choice',
      label: { nl: 'Wat zoekt u?', fa: 'دنبال چه هستید؟' },
      required: true,
      options: { nl: ['Website', 'Webwinkel'], fa: ['وب‌سایت', 'فروشگاه'] },
    },
    {
      id: 'producten',
      kind: 'number',
      label: { nl: 'Hoeveel producten?', fa: 'چند محصول؟' },
      required: true,
      showIf: { field: 'soort', is: 'Webwinkel' },
    },
    {
      id: 'extra',
      kind: 'several',
      label: { nl: 'Wat hoort erbij?', fa: 'چه چیزهایی همراه آن باشد؟' },
      options: { nl: ['Hosting', 'Teksten', 'Logo'], fa: ['میزبانی', 'متن', 'نشان'] },
    },
    { id: 'wanneer', kind: 'date', label: { nl: 'Wanneer klaar?', fa: 'کی آماده باشد؟' } },
    { id: 'toelichting', kind: 'longText', label: { nl: 'Toelichting', fa: 'توضیح' } },
    { id: 'akkoord', kind: 'consent', label: { nl: 'Ik ga akkoord', fa: 'موافقم' }, required: true },
  ],
}

/** Answers that `quoteForm` accepts. */
export const quoteAnswers = {
  naam: 'Roya Karimi',
  email: 'roya@karimi.example',
  telefoon: '۰۶۱۲۳۴۵۶۷۸',
  soort: 'Webwinkel',
  producten: '۱۲۰',
  extra: ['Logo', 'Hosting'],
  wanneer: '1-12-2026',
  toelichting: 'Twee talen,\nen snel.',
  akkoord: 'ja',
}

/** The configuration of a form with which a visitor proposes an appointment. */
export const appointmentForm = {
  id: 'afspraak',
  name: { nl: 'Afspraak voorstellen', fa: 'پیشنهاد قرار' },
  recipients: ['agenda@maaslicht.example'],
  subject: 'Voorstel via [brand]',
  retentionDays: 90,
  fields: [
    { id: 'moment', kind: 'appointment', label: { nl: 'Wanneer?', fa: 'چه زمانی؟' }, required: true },
    { id: 'naam', kind: 'text', label: { nl: 'Naam', fa: 'نام' }, required: true },
    { id: 'email', kind: 'email', label: { nl: 'E-mail', fa: 'ایمیل' }, required: true },
  ],
}
