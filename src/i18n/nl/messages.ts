/** Texts about messages for staff. Texts for visitors are in `contact`, and those of emails in `mail`. */
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

/** Texts of the outbox. The subjects and texts of the emails are in `mail`. */
export const outbox = {
  /** The email templates, as the list of the outbox names them. */
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
    healthAlarm: 'Waarschuwing over de website',
    monthlyReport: 'Maandoverzicht van de website',
  },
  /** The emails in the previews; a template may have several. */
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
    pageAdded: 'Melding: aanbieding aangevuld',
    pageTakenOver: 'Melding: aanbieding overgenomen',
    healthAlarm: 'Waarschuwing: er is iets mis of weer goed',
    monthlyReport: 'Maandoverzicht van de website',
  },
  sample: {
    page: 'Over ons',
    offered: 'De prijzen zijn bijgewerkt. Wilt u vooral naar de tweede alinea kijken?',
    returned: 'Bijna goed. Noem ook de openingstijden nog.',
    added: 'Ik heb de openingstijden toegevoegd.',
    takenOver: 'Ik maak dit verder af, zoals besproken.',
    message:
      'Goedemiddag,\n\nWij zoeken een nieuwe website voor onze winkel. Wat kost dat ongeveer?\n\nMet vriendelijke groet,\nSanne de Vries',
    reply:
      'Beste {{name}},\n\nDank voor uw bericht. Wij bellen u morgen om dit te bespreken.\n\nMet vriendelijke groet,\n{{brand}}',
    passkey: 'Laptop van Sanne',
  },
}

export const mail = {
  footer: 'Deze e-mail is verstuurd door de website van {{brand}}.',
  telephone: 'Tel.',
  kvk: 'KvK',
  vat: 'Btw-id',
  test: {
    title: 'Testmail',
    intro: 'Deze e-mail is een proef van de website van {{brand}}. Hij kwam aan, dus versturen werkt.',
    at: 'Verstuurd op',
  },
  message: {
    title: 'Nieuw contactbericht',
    intro:
      'Dit bericht kwam binnen via uw website. Beantwoordt u deze e-mail, dan gaat uw antwoord rechtstreeks naar de afzender.',
    naam: 'Naam',
    email: 'E-mail',
    tel: 'Telefoon',
    bericht: 'Bericht',
    reference: 'Referentienummer',
    received: 'Ontvangen',
    reply: 'Beantwoorden',
    appointment: 'Voorstel voor een afspraak: {{name}}',
  },
  answer: {
    title: 'Uw bericht aan {{brand}}',
    appointment: 'Voorstel voor een afspraak met {{brand}}',
    quote: 'U schreef op {{date}}:',
  },
  contactChange: {
    title: 'Ontvangers of afzender gewijzigd',
    intro:
      'U ontving tot nu toe de contactberichten van {{brand}}. De ontvangers of de afzender zijn gewijzigd. Klopt dit niet? Neem dan direct contact op met wie de website beheert.',
    form: 'Formulier',
    recipients: 'Ontvangers nu',
    formRemoved: 'geen, want het formulier is verwijderd',
    sender: 'Afzender nu',
    by: 'Gewijzigd door',
    operator: 'de beheerder van de server',
    at: 'Gewijzigd op',
  },
  healthAlarm: {
    beganTitle: 'Er is iets mis met de website van {{brand}}',
    beganIntro:
      'De website keek zichzelf na en vond twee keer achter elkaar iets dat niet goed is. Bij elke regel staat wat u kunt doen. U krijgt hierover geen tweede bericht; wel als het weer goed is.',
    overTitle: 'De website van {{brand}} is weer in orde',
    overIntro: 'Wat er mis was, is weer goed. U hoeft niets te doen.',
    overLabel: 'Weer goed: {{label}}',
  },
  monthlyReport: {
    title: 'Uw website, {{period}}',
    until: 'tot en met',
    introWell: 'Zo ging het van {{period}} met de website van {{brand}}. Alles is in orde.',
    introUnseen_one:
      'Zo ging het van {{period}} met de website van {{brand}}. Niets is mis; {{count, number}} onderdeel was van hier niet te zien.',
    introUnseen_other:
      'Zo ging het van {{period}} met de website van {{brand}}. Niets is mis; {{count, number}} onderdelen waren van hier niet te zien.',
    introTrouble: 'Zo ging het van {{period}} met de website van {{brand}}. Onderaan staat wat uw aandacht vraagt.',
    visits: 'Bezoeken',
    messages: 'Berichten',
    answered: 'Beantwoord',
    compared: '{{count, number}} (de maand ervoor {{before, number}})',
    answeredWithin: '{{count, number}}, de helft binnen {{within}}',
    proofs: 'Proefherstel van back-ups',
    proofsProved: '{{count, number}} van {{nights, number}} nachten bewezen',
    proofsFailed: '{{count, number}} mislukt',
    proofsUnknown: '{{count, number}} niet vast te stellen',
    proofsMissing: '{{count, number}} zonder proef',
  },
  review: {
    page: 'Pagina',
    language: 'Taal',
    link: 'Link',
    note: '{{name}} schrijft:',
    offered: {
      title: 'Ter controle: {{title}}',
      intro:
        '{{name}} heeft een pagina ter controle aangeboden. Bekijk wat er is gewijzigd en publiceer haar, of stuur haar terug.',
      action: 'Pagina bekijken',
    },
    returned: {
      title: 'Teruggestuurd: {{title}}',
      intro: '{{name}} heeft uw pagina bekeken en stuurt haar terug. Deze wijziging is nog niet gepubliceerd.',
      action: 'Verder werken',
    },
    added: {
      title: 'Aangevuld: {{title}}',
      intro:
        '{{name}} heeft de pagina die u ter controle aanbood, aangevuld en opnieuw aangeboden. Wordt zij teruggestuurd, dan hoort u dat allebei.',
      action: 'Pagina bekijken',
    },
    takenOver: {
      title: 'Overgenomen: {{title}}',
      intro:
        '{{name}} heeft de pagina die u ter controle aanbood, overgenomen en opnieuw aangeboden. Uw tekst staat in de geschiedenis van de pagina.',
      action: 'Pagina bekijken',
    },
  },
}
