/** For whoever handles the messages of visitors; what the visitor reads stands in `contact` and `mail`. */
export const messages = {
  replyStart: 'Beste {{name}},\n\n\n\nMet vriendelijke groet,\n{{by}}\n{{brand}}',
  csv: {
    id: 'Referentienummer',
    createdAt: 'Ontvangen',
    naam: 'Naam',
    email: 'E-mail',
    tel: 'Telefoon',
    bericht: 'Bericht',
    folder: 'Map',
    answeredAt: 'Beantwoord',
    note: 'Notitie',
    inbox: 'postvak in',
    spam: 'spam',
    file: 'berichten',
  },
}
