import type { Texts } from '../nl/index.ts'
import type { templateWords as dutch } from '../nl/page-templates.ts'

export const templateWords: Texts<typeof dutch> = {
  cta: {
    title: 'آشنا شویم؟',
    text: 'در چند جمله بگویید دنبال چه هستید. با کمال میل همراهی‌تان می‌کنیم.',
    button: 'با ما تماس بگیرید',
  },
  about: {
    description: '[brand] کیست، چگونه کار می‌کند و مشتریان دربارهٔ ما چه می‌گویند.',
    hero: {
      title: 'دربارهٔ [brand]',
      subtitle: 'بخوانید ما چه کسانی هستیم، چه می‌کنیم و چگونه کار می‌کنیم.',
    },
    figures: 'در یک نگاه',
    steps: 'شیوهٔ کار ما',
    team: 'این‌ها همکاران [brand] هستند.',
  },
  service: {
    description: 'این خدمت [brand] چه سودی برای شما دارد، چگونه انجام می‌شود و مشتریان چه می‌پرسند.',
    content: 'چه دریافت می‌کنید',
    steps: 'روند کار',
    faq: 'پرسش مشتریان',
  },
  project: {
    description: 'یکی از کارهای [brand]: پرسش، راه و نتیجه.',
    question: 'پرسش',
    approach: 'راه',
    figures: 'نتیجه',
    cta: 'شما هم چنین پرسشی دارید؟',
  },
  landing: {
    description: '[brand] چه پیشنهادی دارد، برای چه کسانی است و چگونه درخواست می‌دهید.',
    offer: 'یک پیشنهاد، با توضیح روشن',
    button: 'درخواست دهید',
    figures: 'چرا نتیجه می‌دهد',
    faq: 'پیش از انتخاب',
    cta: 'به کار شما می‌آید؟',
  },
  contact: {
    description: 'راه‌های تماس با [brand]: تلفن، ایمیل یا فرم.',
    content:
      '<h2>راه‌های تماس با ما</h2><p>می‌توانید به ما زنگ بزنید یا ایمیل بفرستید. دوست دارید چیزی را از نزدیک نشان دهید؟ قراری بگذارید.</p><ul><li>تلفن: [legal.telephone]</li><li>ایمیل: [legal.email]</li><li>نشانی: [legal.street]، [legal.postalCode] [legal.city]</li></ul>',
  },
  faq: {
    description: 'پاسخ [brand] به پرسش‌هایی که بیش از همه می‌شنویم.',
    before: 'پیش از کار',
    during: 'در حین کار',
    cta: 'پرسشتان اینجا نیست؟',
  },
}
