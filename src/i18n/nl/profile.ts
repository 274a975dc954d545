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
