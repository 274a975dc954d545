export const health = {
  lead: 'Of alles werkt, en zo niet, wat u eraan kunt doen. Het programma kijkt elke vijf minuten.',
  again: 'Alles nu nakijken',
  checkedAt: 'Nagekeken: {{when}}',
  good: 'Alles is goed.',
  unseen_one: 'Niets is mis; {{count, number}} regel was van hier niet te zien.',
  unseen_other: 'Niets is mis; {{count, number}} regels waren van hier niet te zien.',
  problems_one: '{{count, number}} regel vraagt uw aandacht.',
  problems_other: '{{count, number}} regels vragen uw aandacht.',
  open: 'Naar dit scherm',
  outcomes: { good: 'Goed', attention: 'Let op', failed: 'Mislukt', unknown: 'Onbekend' },
  alarms: {
    title: 'Waarschuwingen en maandoverzicht',
    lead: 'Is er bij twee keer nakijken achter elkaar iets mislukt, dan krijgen deze mensen één e-mail, en nog één als het weer goed is. Het maandoverzicht noemt bezoeken, berichten, hoe snel ze zijn beantwoord en de back-ups. Zolang niemand dit opslaat, krijgt iedereen die de instellingen mag wijzigen beide.',
    people: 'Wie krijgt een e-mail bij problemen',
    reports: 'Wie krijgt elke maand een overzicht',
    webhook: 'Adres van een webhook',
    webhookHelp:
      'Krijgt hetzelfde als JSON. Alleen een openbaar adres dat met http:// of https:// begint; leeg laten mag.',
    saved: 'Waarschuwingen opgeslagen',
  },
  areas: {
    data: 'Gegevens',
    mail: 'E-mail',
    address: 'Het adres van uw website',
    content: 'Inhoud',
    program: 'Programma',
  },
}
