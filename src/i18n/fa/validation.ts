import type { ValidationKey } from '../../contract/errors.ts'

export const validation = {
  required: 'پر کردن این بخش الزامی است!',
  email: 'این نشانی ایمیل معتبر نیست!',
  url: 'این نشانی اینترنتی معتبر نیست!',
  passwordMismatch: 'گذرواژه‌هایی که وارد کرده‌اید یکی نیستند!',
  passwordMin: 'گذرواژه باید دست‌کم ۶ نویسه داشته باشد!',
  tooLong: 'این بخش می‌تواند حداکثر {{limit}} نویسه داشته باشد.',
  control: 'در این بخش نویسه‌ای نامرئی هست که پذیرفته نمی‌شود. لطفاً آن را پاک کنید و دوباره تلاش کنید.',
  unknownField: 'چنین بخشی وجود ندارد.',
  type: 'در اینجا باید متن باشد.',
} satisfies Record<ValidationKey, string>
