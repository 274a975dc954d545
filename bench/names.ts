/** Thirteen first names and ten family names: coprime steps give every pair. */
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
