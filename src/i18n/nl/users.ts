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
