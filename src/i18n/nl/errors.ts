import type { RefusalCode } from '../../contract/errors.ts'

export const errors = {
  invalid: { title: 'Niet alles is goed ingevuld', detail: 'Controleer de velden met een melding.' },
  malformed: { title: 'Onleesbaar verzoek', detail: 'De server kan dit verzoek niet lezen.' },
  wrong_login: {
    title: 'Onjuiste inloggegevens!',
    detail: 'Controleer de gebruikersnaam en het wachtwoord en probeer het opnieuw.',
  },
  signed_out: { title: 'U bent niet ingelogd', detail: 'Log in en probeer het opnieuw.' },
  not_allowed: { title: 'Geen toegang', detail: 'U hebt niet het recht om dit te doen.' },
  right_not_held: { title: 'Geen toegang', detail: 'U kunt geen rechten geven of afnemen die u zelf niet hebt.' },
  page_locked: {
    title: 'Deze pagina is deels vergrendeld',
    detail: 'Met uw rol kunt u hier alleen tekst en afbeeldingen wijzigen.',
  },
  password_needed: {
    title: 'Bevestig dat u het bent',
    detail: 'U bent langer dan tien minuten geleden ingelogd. Vul uw wachtwoord opnieuw in.',
  },
  password_expired: {
    title: 'Kies eerst een nieuw wachtwoord',
    detail:
      'Iemand anders heeft uw wachtwoord gekozen en u mag nu meer dan toen. U krijgt een e-mail met een link waarmee u zelf een wachtwoord kiest.',
  },
  link_ended: {
    title: 'Deze link werkt niet meer',
    detail: 'De link is al gebruikt of verlopen. Vraag een nieuwe aan.',
  },
  stale: {
    title: 'Iemand anders was u voor',
    detail: 'Dit is intussen gewijzigd. Er is niets overschreven; bekijk wat er nu staat.',
  },
  last_manager: {
    title: 'Dit kan niet',
    detail: 'Dit is de laatste persoon die gebruikers of rollen kan beheren. Geef eerst iemand anders dat recht.',
  },
  role_in_use: { title: 'Deze rol is in gebruik', detail: 'Geef de gebruikers met deze rol eerst een andere rol.' },
  base_role: { title: 'Dit kan niet', detail: 'De basisrol hoort bij elke gebruiker en kan niet worden verwijderd.' },
  own_account: { title: 'Dit kan niet', detail: 'U kunt uw eigen account niet blokkeren of verwijderen.' },
  file_in_use: {
    title: 'Dit bestand is in gebruik',
    detail: 'Haal het eerst weg van de plaatsen waar het staat. Daarna kunt u het verwijderen.',
  },
  section_in_use: {
    title: 'Deze sectie is in gebruik',
    detail: 'Haal haar eerst weg van de plaatsen waar ze staat, of maak haar daar los. Daarna kunt u haar verwijderen.',
  },
  fixed_page: {
    title: 'Dit kan niet',
    detail: 'De homepage, de privacyverklaring en de disclaimer horen bij de website: die blijven staan.',
  },
  page_in_bin: { title: 'Deze pagina ligt in de prullenbak', detail: 'Zet haar eerst terug. Daarna kunt u verder.' },
  page_not_in_bin: {
    title: 'Deze pagina ligt niet in de prullenbak',
    detail: 'Alleen wat in de prullenbak ligt, kunt u voorgoed verwijderen of terugzetten.',
  },
  nothing_to_review: {
    title: 'Er is niets te controleren',
    detail: 'Deze tekst staat al zo op de website. Sla eerst een wijziging op.',
  },
  review_ended: {
    title: 'Dit is al afgehandeld',
    detail:
      'Iemand anders heeft intussen over deze tekst besloten, of er is een andere tekst aangeboden. Bekijk wat er nu staat.',
  },
  review_waits: {
    title: 'Iemand anders bood deze pagina al aan',
    detail: 'Bekijk wat er verschilt, en kies of u aanvult of overneemt.',
  },
  forged: { title: 'Geweigerd', detail: 'Dit verzoek kwam van een andere website.' },
  not_found: { title: 'Page Not Found', detail: 'Op dit adres staat niets.' },
  gone: { title: 'Page Not Found', detail: 'De pagina op dit adres is verwijderd en komt niet terug.' },
  method_not_allowed: { title: 'Dit kan hier niet', detail: 'Dit adres kent deze methode niet.' },
  too_large: { title: 'Te groot', detail: 'Wat u verstuurt, is groter dan de server aanneemt.' },
  url_too_long: { title: 'Het adres is te lang', detail: 'Dit adres is langer dan de server leest.' },
  unsupported_type: { title: 'Dit formaat kan hier niet', detail: 'Stuur een formulier of JSON.' },
  too_many: {
    title: 'Even geduld',
    detail: 'Dat was te vaak in korte tijd. Probeer het over enkele minuten opnieuw.',
  },
  contact_failed: {
    title: 'Uw bericht is niet verstuurd!',
    detail: 'Er is een fout opgetreden bij het verzenden van uw bericht.',
  },
  contact_unavailable: {
    title: 'Uw bericht is niet verstuurd!',
    detail: 'Er is een fout opgetreden bij het verzenden van uw bericht.',
  },
  unexpected: { title: 'Internal Server Error', detail: 'Er ging iets mis. Probeer het later opnieuw.' },
  unavailable: {
    title: 'Even niet bereikbaar',
    detail: 'De server kan dit nu niet verwerken. Probeer het zo meteen opnieuw.',
  },
  storage_unavailable: {
    title: 'De bestandsopslag is niet bereikbaar',
    detail:
      'Bestanden kunnen nu niet worden bewaard of getoond. Er gaat niets verloren; probeer het zo meteen opnieuw.',
  },
  storage_full: {
    title: 'Er is geen ruimte meer voor bestanden',
    detail: 'De opslag is vol. Verwijder bestanden die niet meer nodig zijn of vraag de beheerder om meer ruimte.',
  },
} satisfies Record<RefusalCode, { title: string; detail: string }>
