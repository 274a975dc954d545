/** Of a first name and a family name thirteen and ten, so that every pair comes by steps that share no factor with these. */
export const given = [
  'Sanne',
  'Daan',
  'Roya',
  'Parisa',
  'Bente',
  'Rik',
  'Lotte',
  'Jan',
  'Anouk',
  'Mees',
  'Fleur',
  'Ömer',
  'Zoë',
]
export const family = [
  'de Vries',
  'Jansen',
  'Bakker',
  'van der Meer',
  'Visser',
  'Smit',
  'Mulder',
  'Bos',
  'Peters',
  'de Wit',
]
