export const site = {
  skipToContent: 'Naar de inhoud',
  openMenu: 'Menu openen',
  closeMenu: 'Menu sluiten',
  mainNavigation: 'Hoofdmenu',
  footerNavigation: 'Links onder aan de pagina',
  switchLanguage: 'Taal kiezen',
  opensInNewTab: 'opent in een nieuw tabblad',
  backHome: 'Terug naar de homepage',
  updated: 'Laatst bijgewerkt op {{date}}',
  mobileNavigation: 'Menu voor kleine schermen',
  openingHours: 'Openingstijden',
  yes: 'Ja',
  no: 'Nee',
  route: 'Plan uw route:',
  enlarge: 'Vergroot: {{name}}',
  image: 'Afbeelding {{number, number}}',
  closeImage: 'Sluiten',
  nextImage: 'Volgende',
  previousImage: 'Vorige',
  video: { youtube: 'Speelt af bij YouTube', vimeo: 'Speelt af bij Vimeo' },
  price: {
    from: 'vanaf',
    once: 'eenmalig',
    month: 'per maand',
    year: 'per jaar',
    excl: 'excl. btw',
    incl: 'incl. btw',
    terms: '{{period}}, {{vat}}',
    recommended: 'Aanbevolen',
  },
}

export const contact = {
  send: 'Verstuur bericht',
  busy: 'Bezig met versturen…',
  successTitle: 'Dank voor uw bericht!',
  successText: 'We zullen z.s.m contact met u opnemen.',
  failureTitle: 'Uw bericht is niet verstuurd!',
  failureText: 'Er is een fout opgetreden bij het verzenden van uw bericht.',
  reference: 'Uw referentienummer is {{reference}}.',
  honeypot: 'Laat dit veld leeg',
  another: 'Nog een bericht sturen',
  subject: 'Onderwerp: {{name}}',
}

export const adminPage = {
  loading: 'Het beheer wordt geladen',
  requiresJavaScript:
    'Het beheer werkt met JavaScript, en dat staat in uw browser uit. Zet het aan en laad de pagina opnieuw. De website zelf werkt zonder.',
}

export const pages = {
  copyOf: 'Kopie van {{title}}',
  preview: 'Dit is een voorbeeld. Wat bezoekers zien, kan anders zijn.',
}
