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
