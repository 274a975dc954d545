import type { RefusalCode } from '../../contract/errors.ts'

export const errors = {
  invalid: { title: 'Niet alles is goed ingevuld', detail: 'Controleer de velden met een melding.' },
  malformed: { title: 'Onleesbaar verzoek', detail: 'De server kan dit verzoek niet lezen.' },
  forged: { title: 'Geweigerd', detail: 'Dit verzoek kwam van een andere website.' },
  not_found: { title: 'Page Not Found', detail: 'Op dit adres staat niets.' },
  method_not_allowed: { title: 'Dit kan hier niet', detail: 'Dit adres kent deze methode niet.' },
  too_large: { title: 'Te groot', detail: 'Wat u verstuurt, is groter dan de server aanneemt.' },
  url_too_long: { title: 'Het adres is te lang', detail: 'Dit adres is langer dan de server leest.' },
  unsupported_type: { title: 'Dit formaat kan hier niet', detail: 'Stuur een formulier of JSON.' },
  too_many: {
    title: 'Even geduld',
    detail: 'Er is in korte tijd te veel verstuurd. Probeer het over enkele minuten opnieuw.',
  },
  contact_failed: {
    title: 'Uw bericht is niet verstuurd!',
    detail: 'Er is een fout opgetreden bij het verzenden van uw bericht.',
  },
  unexpected: { title: 'Internal Server Error', detail: 'Er ging iets mis. Probeer het later opnieuw.' },
  unavailable: {
    title: 'Even niet bereikbaar',
    detail: 'De server kan dit nu niet verwerken. Probeer het zo meteen opnieuw.',
  },
} satisfies Record<RefusalCode, { title: string; detail: string }>
