export const messages = {
  replyStart: '{{name}} گرامی،\n\n\n\nبا احترام\n{{by}}\n{{brand}}',
  csv: {
    id: 'شمارهٔ پیگیری',
    createdAt: 'زمان دریافت',
    naam: 'نام',
    email: 'ایمیل',
    tel: 'تلفن',
    bericht: 'پیام',
    folder: 'پوشه',
    answeredAt: 'زمان پاسخ',
    note: 'یادداشت',
    inbox: 'صندوق ورودی',
    spam: 'هرزنامه',
    file: 'پیام‌ها',
  },
}
