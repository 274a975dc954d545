import type { health as dutch } from '../../nl/admin/health.ts'
import type { Texts } from '../../nl/index.ts'

export const health: Texts<typeof dutch> = {
  lead: 'آیا همه‌چیز کار می‌کند، و اگر نه، چه می‌توانید بکنید. برنامه هر پنج دقیقه نگاه می‌کند.',
  again: 'بررسی دوبارهٔ همه‌چیز',
  checkedAt: 'بررسی‌شده: {{when}}',
  good: 'همه‌چیز خوب است.',
  unseen_one: 'ایرادی نیست؛ {{count, number}} مورد قابل بررسی نبود.',
  unseen_other: 'ایرادی نیست؛ {{count, number}} مورد قابل بررسی نبودند.',
  trouble_one: '{{count, number}} مورد نیاز به توجه شما دارد.',
  trouble_other: '{{count, number}} مورد نیاز به توجه شما دارند.',
  open: 'رفتن به این صفحه',
  outcomes: { good: 'خوب', attention: 'توجه', failed: 'ناموفق', unknown: 'نامعلوم' },
  alarms: {
    title: 'هشدارها و گزارش ماهانه',
    lead: 'اگر در دو بررسی پشت سر هم چیزی ناموفق باشد، این افراد یک ایمیل می‌گیرند و یکی هم وقتی برطرف شود. گزارش ماهانه از بازدیدها، پیام‌ها، زمان پاسخ و نسخهٔ پشتیبان می‌گوید.',
    people: 'چه کسی هنگام مشکل ایمیل می‌گیرد',
    reports: 'چه کسی گزارش ماهانه می‌گیرد',
    webhook: 'نشانی یک وب‌هوک',
    webhookHelp:
      'همان را به‌صورت JSON می‌گیرد. فقط یک نشانی عمومی که با http:// یا https:// آغاز شود؛ می‌تواند خالی بماند.',
    saved: 'هشدارها ذخیره شد',
  },
  areas: {
    data: 'داده‌ها',
    mail: 'ایمیل',
    address: 'نشانی وب‌سایت شما',
    content: 'محتوا',
    program: 'برنامه',
  },
}
