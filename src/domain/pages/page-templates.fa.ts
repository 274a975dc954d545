import type { PageTemplates } from './page-templates.nl.ts'

const contactCta = {
  title: 'آشنا شویم؟',
  text: 'در چند جمله بگویید دنبال چه هستید. با کمال میل همراهی‌تان می‌کنیم.',
  button: { title: 'با ما تماس بگیرید', url: '/#contact' },
}

export const faTemplates: PageTemplates = {
  about: {
    description: '[brand] کیست، چگونه کار می‌کند و مشتریان دربارهٔ ما چه می‌گویند.',
    blocks: [
      [
        'hero',
        {
          title: 'دربارهٔ [brand]',
          subtitle: 'بخوانید که هستیم، چه می‌کنیم و چگونه کار می‌کنیم.',
        },
      ],
      ['text-image'],
      ['figures', { title: 'در یک نگاه' }, [0, 3]],
      ['steps', { title: 'شیوهٔ کار ما' }, [3]],
      ['team', { intro: 'این‌ها همکاران [brand] هستند.' }, [0, 3]],
      ['gallery'],
      ['testimonials', {}, [0, 2]],
      ['cta', contactCta],
    ],
  },
  service: {
    description: 'این خدمت [brand] چه سودی برای شما دارد، چگونه انجام می‌شود و مشتریان چه می‌پرسند.',
    blocks: [
      ['text-image', { title: 'چه دریافت می‌کنید' }],
      ['steps', { title: 'روند کار' }, [3]],
      ['faq', { title: 'پرسش مشتریان' }, [0, 2]],
      ['testimonials', {}, [0, 2]],
      ['cta', contactCta],
    ],
  },
  project: {
    description: 'یکی از کارهای [brand]: پرسش، راه و نتیجه.',
    blocks: [
      ['text-image', { title: 'پرسش' }],
      ['text-image', { title: 'راه' }],
      ['gallery'],
      ['figures', { title: 'نتیجه' }, [0, 3]],
      ['testimonial'],
      ['cta', { ...contactCta, title: 'شما هم چنین پرسشی دارید؟' }],
    ],
  },
  landing: {
    description: '[brand] چه پیشنهادی دارد، برای چه کسانی است و چگونه درخواست می‌دهید.',
    blocks: [
      [
        'text-image',
        {
          title: 'یک پیشنهاد، با توضیح روشن',
          linkTitle: 'درخواست دهید',
          url: '/#contact',
        },
      ],
      ['figures', { title: 'چرا نتیجه می‌دهد' }, [0, 3]],
      ['testimonials', {}, [0, 2]],
      ['faq', { title: 'پیش از انتخاب' }, [0, 3]],
      ['cta', { ...contactCta, title: 'به کار شما می‌آید؟', button: { title: 'درخواست دهید', url: '/#contact' } }],
    ],
  },
  contact: {
    description: 'راه‌های تماس با [brand]: تلفن، ایمیل یا فرم.',
    blocks: [
      [
        'rich-text',
        {
          content:
            '<h2>راه‌های تماس با ما</h2><p>می‌توانید به ما زنگ بزنید یا ایمیل بفرستید. دوست دارید چیزی را از نزدیک نشان دهید؟ قراری بگذارید.</p><ul><li>تلفن: [legal.telephone]</li><li>ایمیل: [legal.email]</li><li>نشانی: [legal.street]، [legal.postalCode] [legal.city]</li></ul>',
        },
      ],
      ['contact-form'],
    ],
  },
  faq: {
    description: 'پاسخ [brand] به پرسش‌هایی که بیش از همه می‌شنویم.',
    blocks: [
      ['faq', { title: 'پیش از کار' }, [0, 4]],
      ['faq', { title: 'در میانهٔ کار' }, [4]],
      ['cta', { ...contactCta, title: 'پرسشتان اینجا نیست؟' }],
    ],
  },
}
