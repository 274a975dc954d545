export const signIn = {
  login: {
    title: 'Inloggen',
    lead: 'Beheer uw website, berichten en gebruikers.',
    identifier: 'E-mailadres',
    password: 'Wachtwoord',
    submit: 'Inloggen',
    forgotten: 'Wachtwoord vergeten?',
    or: 'of',
    provider: 'Inloggen met uw organisatie',
    passkey: 'Inloggen met een passkey',
    passkeyFailed: 'Inloggen met een passkey is niet gelukt. Probeer het opnieuw of gebruik uw wachtwoord.',
    wait: 'U kunt het over {{time}} opnieuw proberen.',
  },
  code: {
    title: 'Nog één stap',
    lead: 'Open uw authenticator-app en vul de code van zes cijfers in.',
    code: 'Code',
    recovery: 'Geen toegang tot de app? Vul dan een van uw herstelcodes in.',
    submit: 'Bevestigen',
    back: 'Terug naar inloggen',
  },
  logout: {
    title: 'Uitloggen',
    lead: 'Je bent ingelogd als {{name}}',
    submit: 'Uitloggen',
  },
  forgotten: {
    title: 'Wachtwoord vergeten?',
    lead: 'Vul uw e-mailadres in. U krijgt een link waarmee u een nieuw wachtwoord kiest.',
    submit: 'Stuur mij een link',
    sentTitle: 'Kijk in uw mailbox',
    sentText:
      'Is dit adres bij ons bekend, dan vindt u daar binnen enkele minuten een e-mail met een link. Hij werkt één keer, een uur lang. Geen e-mail? Kijk ook in de map met ongewenste e-mail.',
    notSentTitle: 'Er is geen e-mail verstuurd',
    noMail:
      'Deze website kan nog geen e-mail versturen. Vraag een beheerder om een link waarmee u een nieuw wachtwoord kiest.',
  },
  password: {
    title: 'Kies een wachtwoord',
    lead: 'Voor het account van {{email}}. In andere browsers wordt u uitgelogd.',
    password: 'Nieuw wachtwoord',
    repeat: 'Herhaal het wachtwoord',
    hint: 'Minstens {{chars}} tekens. Een zin die alleen u kent is sterk en makkelijk te onthouden.',
    submit: 'Wachtwoord opslaan',
    again: 'Vraag een nieuwe link aan',
  },
  email: {
    title: 'Bevestig uw e-mailadres',
    lead: 'Met één klik is dit het adres van uw account. U logt er voortaan mee in.',
    submit: 'Bevestigen',
  },
  setup: {
    title: 'Welkom!',
    lead: 'U bent de eerste. Maak uw account aan; daarmee beheert u de website en alle gebruikers.',
    name: 'Uw naam',
    submit: 'Account aanmaken',
    endedText:
      'Deze link is al gebruikt of verlopen. Log in, of start het programma opnieuw als er nog geen beheerder is.',
  },
  notice: {
    passwordSet: 'Uw wachtwoord is opgeslagen. U kunt er nu mee inloggen.',
    emailConfirmed: 'Uw e-mailadres is gewijzigd.',
    ready: 'Uw account is klaar. Log in om te beginnen.',
    again: 'Het inloggen duurde te lang of de code klopte te vaak niet. Log opnieuw in.',
    providerSilent:
      'De inlogdienst reageert op dit moment niet. Log in met uw wachtwoord of probeer het later opnieuw.',
    providerRefused:
      'Inloggen met dit account is niet gelukt. Log in met uw wachtwoord of vraag een beheerder om hulp.',
  },
  mail: {
    subject: 'Uw wachtwoord bij {{brand}}',
    title: 'Kies een nieuw wachtwoord',
    intro:
      'U vroeg om een nieuw wachtwoord voor uw account bij {{brand}}. Met deze link kiest u het zelf. Hij werkt één keer, een uur lang. Vroeg u hier niet om, dan hoeft u niets te doen: uw wachtwoord blijft zoals het is.',
    link: 'Uw link',
    action: 'Wachtwoord kiezen',
  },
}

export const profile = {
  mail: {
    at: 'Wanneer',
    newEmail: 'Nieuw e-mailadres',
    passkey: 'Passkey',
    link: 'Link',
    confirmEmail: {
      title: 'Bevestig uw nieuwe e-mailadres',
      intro:
        'U wilt voortaan met dit adres inloggen bij {{brand}}. Bevestig dat met de knop hieronder. De link werkt één keer, tot {{minutes}} minuten na uw aanvraag. Hebt u dit niet zelf aangevraagd, dan hoeft u niets te doen.',
      action: 'E-mailadres bevestigen',
    },
    emailAsked: {
      title: 'Er is een nieuw e-mailadres aangevraagd',
      intro:
        'Voor uw account bij {{brand}} is een ander e-mailadres opgegeven. Er verandert pas iets als dat adres is bevestigd. Was u dit niet? Log dan in en kies meteen een nieuw wachtwoord: daarmee vervalt de aanvraag.',
    },
    emailTaken: {
      title: 'Dit e-mailadres is al in gebruik',
      intro:
        'Iemand wilde een ander account bij {{brand}} op dit adres zetten. Het hoort al bij uw eigen account, dus er is niets gewijzigd. Was u dat zelf, log dan in met dit adres. Anders hoeft u niets te doen.',
    },
    emailChanged: {
      title: 'Uw e-mailadres is gewijzigd',
      intro:
        'Bij uw account bij {{brand}} hoort voortaan een ander e-mailadres; daarmee logt u in. Was u dit niet? Neem dan meteen contact met ons op.',
    },
    passwordChanged: {
      title: 'Uw wachtwoord is gewijzigd',
      intro:
        'Uw account bij {{brand}} heeft een nieuw wachtwoord. Op andere apparaten bent u uitgelogd. Was u dit niet? Vraag dan op de inlogpagina meteen een nieuw wachtwoord aan.',
    },
    twoFactorOn: {
      title: 'Inloggen in twee stappen staat aan',
      intro:
        'Voor uw account bij {{brand}} is na het wachtwoord nu ook een code uit uw authenticator-app nodig. Op andere apparaten bent u uitgelogd. Was u dit niet? Neem dan meteen contact met ons op.',
    },
    twoFactorOff: {
      title: 'Inloggen in twee stappen staat uit',
      intro:
        'Voor uw account bij {{brand}} is geen code uit een authenticator-app meer nodig. Was u dit niet? Log dan in, kies een nieuw wachtwoord en zet de tweede stap weer aan.',
    },
    recoveryCodes: {
      title: 'U hebt nieuwe herstelcodes',
      intro:
        'Voor uw account bij {{brand}} zijn nieuwe herstelcodes gemaakt; de oude werken niet meer. Was u dit niet? Log dan in, kies een nieuw wachtwoord en maak opnieuw herstelcodes.',
    },
    passkeyAdded: {
      title: 'Er is een passkey toegevoegd',
      intro:
        'Met deze passkey kunt u zonder wachtwoord inloggen op uw account bij {{brand}}. Was u dit niet? Log dan in, verwijder de passkey en kies een nieuw wachtwoord.',
    },
    passkeyRemoved: {
      title: 'Er is een passkey verwijderd',
      intro:
        'Met deze passkey kunt u niet meer inloggen op uw account bij {{brand}}. Was u dit niet? Log dan in en kies een nieuw wachtwoord.',
    },
  },
}

export const users = {
  csv: {
    id: 'Nummer',
    name: 'Naam',
    email: 'E-mail',
    role: 'Rol',
    blocked: 'Geblokkeerd',
    locale: 'Taal',
    twoFactor: 'Inloggen in twee stappen',
    lastSignedInAt: 'Laatst ingelogd',
    createdAt: 'Toegevoegd',
    yes: 'ja',
    no: 'nee',
    file: 'gebruikers',
  },
  mail: {
    name: 'Naam',
    email: 'Inloggen met',
    password: 'Wachtwoord',
    link: 'Link',
    newUser: {
      title: 'Uw account is klaar',
      intro: 'Bij {{brand}} is een account voor u gemaakt. Hieronder staat waarmee u inlogt.',
    },
    updatedUser: {
      title: 'Uw account is gewijzigd',
      intro: 'Een beheerder van {{brand}} heeft uw account gewijzigd. Hieronder staat waarmee u voortaan inlogt.',
    },
    changeIt:
      'Kies na het inloggen bij uw profiel een eigen wachtwoord: een wachtwoord dat in een e-mail heeft gestaan, is niet meer geheim.',
    signIn: 'Inloggen',
    invitation: {
      title: 'Kies uw wachtwoord',
      intro:
        'Een beheerder van {{brand}} stuurt u deze link voor uw account. Daarmee kiest u zelf een wachtwoord. De link werkt één keer, tot {{until}}.',
      action: 'Wachtwoord kiezen',
    },
  },
}

/** Texts of the page with all personal data that a person receives. */
export const privacyExport = {
  title: 'Uw gegevens bij {{brand}}',
  messages: 'Berichten die u stuurde',
  emails: 'E-mails aan u',
  account: 'Uw account',
  changes: 'Handelingen in het logboek',
  none: 'geen',
  yes: 'ja',
  no: 'nee',
  saveFile: 'Opslaan',
  states: { waiting: 'wacht op verzending', sent: 'verstuurd', failed: 'niet aangekomen', file: 'niet verstuurd' },
  folders: { inbox: 'Postvak in', spam: 'Spam' },
  fields: {
    id: 'Nummer',
    reference: 'Referentienummer',
    form: 'Formulier',
    answers: 'Wat u invulde',
    label: 'Vraag',
    files: 'Bestanden',
    type: 'Soort bestand',
    bytes: 'Grootte in bytes',
    url: 'Adres voor wie berichten mag lezen',
    content: 'Het bestand',
    naam: 'Naam',
    email: 'E-mail',
    tel: 'Telefoon',
    bericht: 'Bericht',
    locale: 'Taal',
    folder: 'Map',
    spamReason: 'Waarom spam',
    spamReasons: 'Regels tegen spam',
    rule: 'Regel',
    points: 'Punten',
    page: 'Pagina',
    privacyVersion: 'Versie van de privacyverklaring',
    readAt: 'Gelezen',
    answeredAt: 'Beantwoord',
    note: 'Notitie van een medewerker',
    createdAt: 'Gemaakt',
    replies: 'Antwoorden',
    text: 'Tekst',
    by: 'Geschreven door',
    at: 'Wanneer',
    kind: 'Soort e-mail',
    state: 'Status',
    sentAt: 'Verstuurd',
    name: 'Naam',
    blocked: 'Geblokkeerd',
    role: 'Rol',
    twoFactor: 'Inloggen in twee stappen',
    lastSignedInAt: 'Laatst ingelogd',
    updatedAt: 'Laatst gewijzigd',
    sessions: 'Ingelogde browsers',
    since: 'Ingelogd sinds',
    lastUsedAt: 'Laatst gebruikt',
    ipAddress: 'IP-adres',
    browser: 'Browser',
    passkeys: 'Passkeys',
    addedAt: 'Toegevoegd',
    signsInBy: 'Manieren van inloggen',
    way: 'Manier',
    leftOut: 'Niet in deze export',
    action: 'Wat er is gebeurd',
    bySelf: 'Door deze persoon zelf',
  },
}
