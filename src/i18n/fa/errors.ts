import type { RefusalCode } from '../../contract/errors.ts'

export const errors = {
  invalid: { title: 'بعضی بخش‌ها درست پر نشده‌اند', detail: 'لطفاً بخش‌هایی را که پیام خطا دارند بازبینی کنید.' },
  malformed: { title: 'درخواست خوانا نیست', detail: 'سرور نمی‌تواند این درخواست را بخواند.' },
  forged: { title: 'پذیرفته نشد', detail: 'این درخواست از وب‌سایت دیگری آمده است.' },
  not_found: { title: 'Page Not Found', detail: 'در این نشانی چیزی نیست.' },
  method_not_allowed: { title: 'اینجا ممکن نیست', detail: 'این نشانی چنین روشی را نمی‌پذیرد.' },
  too_large: { title: 'بیش از اندازه بزرگ است', detail: 'حجم آنچه می‌فرستید بیش از حد مجاز است.' },
  url_too_long: { title: 'نشانی بیش از اندازه طولانی است', detail: 'سرور نشانی به این درازی را نمی‌خواند.' },
  unsupported_type: { title: 'این قالب پذیرفته نمی‌شود', detail: 'لطفاً فرم یا JSON بفرستید.' },
  too_many: {
    title: 'کمی صبر کنید',
    detail: 'در زمانی کوتاه بیش از اندازه فرستاده شده است. لطفاً چند دقیقهٔ دیگر دوباره تلاش کنید.',
  },
  contact_failed: { title: 'پیام شما ارسال نشد!', detail: 'هنگام ارسال پیام شما خطایی رخ داد.' },
  unexpected: { title: 'Internal Server Error', detail: 'خطایی رخ داد. لطفاً بعداً دوباره تلاش کنید.' },
  unavailable: {
    title: 'فعلاً در دسترس نیست',
    detail: 'سرور اکنون نمی‌تواند این درخواست را انجام دهد. لطفاً کمی بعد دوباره تلاش کنید.',
  },
} satisfies Record<RefusalCode, { title: string; detail: string }>
