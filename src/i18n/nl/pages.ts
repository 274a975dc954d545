export const pages = {
  copyOf: 'Kopie van {{title}}',
  preview: 'Dit is een voorbeeld. Wat bezoekers zien, kan anders zijn.',
}
