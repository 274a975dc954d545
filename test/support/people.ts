/** Named visitors, with the field names of the contact form. They have what real ones have: accents, apostrophes, Persian. */
export const people = {
  roya: { naam: 'Roya Karimi', email: 'roya@karimi.example', tel: '043 325 1234' },
  sanne: { naam: "Sanne d'Hondt-Gübbels", email: 'sanne@bakkerij-hondt.example', tel: '+31 6 12345678' },
  daan: { naam: 'Daan van der Meer', email: 'daan@vandermeer.example', tel: '0612345678' },
  parisa: { naam: 'پریسا احمدی', email: 'parisa@ahmadi.example', tel: '۰۶۱۲۳۴۵۶۷۸' },
} as const
export type PersonName = keyof typeof people

const messageTexts: Record<PersonName, string> = {
  roya: 'Ik wil een website voor mijn atelier.\nKunt u mij bellen?',
  sanne: 'Wat kost een webwinkel voor een bakkerij – ongeveer € 2.000?',
  daan: 'Onze site is traag. Kunt u hem overnemen?',
  parisa: 'سلام، می‌خواهم برای فروشگاهم یک وب‌سایت بسازم.\nلطفاً با من تماس بگیرید.',
}

/** The fields of the contact form as that person fills them in; `overrides` replaces some. */
export function aMessageOf(
  name: PersonName,
  overrides: Partial<Record<'naam' | 'email' | 'tel' | 'bericht', string>> = {},
) {
  return { ...people[name], bericht: messageTexts[name], ...overrides }
}
