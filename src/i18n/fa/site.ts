export const site = {
  skipToContent: 'رفتن به محتوای اصلی',
  openMenu: 'باز کردن منو',
  closeMenu: 'بستن منو',
  mainNavigation: 'منوی اصلی',
  footerNavigation: 'پیوندهای پایین صفحه',
  switchLanguage: 'انتخاب زبان',
  opensInNewTab: 'در برگه‌ای تازه باز می‌شود',
  backHome: 'بازگشت به صفحهٔ اصلی',
  updated: 'آخرین به‌روزرسانی: {{date}}',
  mobileNavigation: 'منوی نمایشگرهای کوچک',
  openingHours: 'ساعت‌های کاری',
  yes: 'بله',
  no: 'خیر',
  route: 'مسیر را پیدا کنید:',
  enlarge: 'بزرگ‌نمایی: {{name}}',
  image: 'تصویر {{number, number}}',
  closeImage: 'بستن',
  nextImage: 'بعدی',
  previousImage: 'قبلی',
  video: { youtube: 'در یوتیوب پخش می‌شود', vimeo: 'در ویمیو پخش می‌شود' },
  price: {
    from: 'از',
    once: 'یک‌بار',
    month: 'ماهانه',
    year: 'سالانه',
    excl: 'بدون مالیات بر ارزش افزوده',
    incl: 'با مالیات بر ارزش افزوده',
    terms: '{{period}}، {{vat}}',
    recommended: 'پیشنهاد ما',
  },
}

export const contact = {
  send: 'ارسال پیام',
  busy: 'در حال ارسال…',
  successTitle: 'از پیام شما سپاسگزاریم!',
  successText: 'در نخستین فرصت با شما تماس می‌گیریم.',
  failureTitle: 'پیام شما ارسال نشد!',
  failureText: 'هنگام ارسال پیام شما خطایی رخ داد.',
  reference: 'شمارهٔ پیگیری شما {{reference}} است.',
  honeypot: 'این بخش را خالی بگذارید',
  another: 'ارسال پیامی دیگر',
  subject: 'موضوع: {{name}}',
}

export const adminPage = {
  loading: 'بخش مدیریت در حال بارگذاری است',
  requiresJavaScript:
    'بخش مدیریت با JavaScript کار می‌کند که در مرورگر شما خاموش است. آن را روشن کنید و صفحه را دوباره بارگذاری کنید. خود وب‌سایت بدون آن هم کار می‌کند.',
}

export const pages = {
  copyOf: 'رونوشت {{title}}',
  preview: 'این یک پیش‌نمایش است. آنچه بازدیدکنندگان می‌بینند ممکن است متفاوت باشد.',
}
