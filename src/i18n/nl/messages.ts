/** Texts for staff who handle messages; the visitor's texts are in `contact` and `mail`. */
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
    form: 'Formulier',
    contact: 'contactformulier',
    inbox: 'postvak in',
    spam: 'spam',
    file: 'berichten',
  },
}

/** Texts of the outbox; those of the emails are with their subjects. */
export const outbox = {
  templates: {
    contactMessage: 'Contactbericht',
    messageReply: 'Antwoord aan bezoeker',
    userAccount: 'Bericht over account',
    userInvitation: 'Uitnodiging',
    passwordLink: 'Wachtwoord vergeten',
    confirmEmail: 'E-mailadres bevestigen',
    profileNotice: 'Melding over account',
    contactChange: 'Melding over contactberichten',
    pageReview: 'Melding over een pagina ter controle',
  },
  kinds: {
    contactMessage: 'Contactbericht, aan het bedrijf',
    messageReply: 'Antwoord aan een bezoeker',
    newUser: 'Nieuw account',
    newUserPassword: 'Nieuw account, met wachtwoord',
    updatedUser: 'Gewijzigd account',
    updatedUserPassword: 'Gewijzigd account, met wachtwoord',
    userInvitation: 'Uitnodiging om een wachtwoord te kiezen',
    passwordLink: 'Wachtwoord vergeten',
    confirmEmail: 'Nieuw e-mailadres bevestigen',
    emailAsked: 'Melding: nieuw e-mailadres aangevraagd',
    emailTaken: 'Melding: e-mailadres is al in gebruik',
    emailChanged: 'Melding: e-mailadres gewijzigd',
    passwordChanged: 'Melding: wachtwoord gewijzigd',
    twoFactorOn: 'Melding: inloggen in twee stappen aan',
    twoFactorOff: 'Melding: inloggen in twee stappen uit',
    recoveryCodes: 'Melding: nieuwe herstelcodes',
    passkeyAdded: 'Melding: passkey toegevoegd',
    passkeyRemoved: 'Melding: passkey verwijderd',
    contactChange: 'Melding: ontvangers of afzender gewijzigd',
    pageOffered: 'Melding: pagina ter controle aangeboden',
    pageReturned: 'Melding: pagina teruggestuurd',
  },
  sample: {
    page: 'Over ons',
    offered: 'De prijzen zijn bijgewerkt. Wilt u vooral naar de tweede alinea kijken?',
    returned: 'Bijna goed. Noem ook de openingstijden nog.',
    message:
      'Goedemiddag,\n\nWij zoeken een nieuwe website voor onze winkel. Wat kost dat ongeveer?\n\nMet vriendelijke groet,\nSanne de Vries',
    reply:
      'Beste {{name}},\n\nDank voor uw bericht. Wij bellen u morgen om dit te bespreken.\n\nMet vriendelijke groet,\n{{brand}}',
    passkey: 'Laptop van Sanne',
  },
}
