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
}
