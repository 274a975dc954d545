export const contact = {
  send: 'فرستادن پیام',
  busy: 'در حال فرستادن…',
  successTitle: 'از پیام شما سپاسگزاریم!',
  successText: 'در نخستین فرصت با شما تماس می‌گیریم.',
  failureTitle: 'پیام شما فرستاده نشد!',
  failureText: 'هنگام فرستادن پیام شما خطایی رخ داد.',
  reference: 'شمارهٔ پیگیری شما {{reference}} است.',
  honeypot: 'این بخش را خالی بگذارید',
  another: 'فرستادن پیامی دیگر',
}
