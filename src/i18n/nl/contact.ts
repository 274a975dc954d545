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
}
