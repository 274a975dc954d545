import type { ValidationKey } from '../../contract/errors.ts'

export const validation = {
  required: 'Dit is een verplicht veld!',
  email: 'Dit e-mailadres is niet geldig!',
  url: 'Dit is geen geldig url!',
  passwordMismatch: 'De ingevoerde wachtwoorden komen niet overeen!',
  passwordMin: 'Wachtwoord moet bestaan uit minstens 6 karakters!',
  tooLong: 'Dit veld mag hoogstens {{limit}} tekens lang zijn.',
  control: 'Dit veld bevat een onzichtbaar teken dat hier niet kan. Verwijder het en probeer het opnieuw.',
  unknownField: 'Dit veld bestaat niet.',
  type: 'Hier staat iets anders dan tekst.',
  taken: 'Deze waarde is al in gebruik.',
  usernameIsEmail: 'De gebruikersnaam is het e-mailadres.',
  wrongPassword: 'Dit wachtwoord is niet juist.',
  wrongCode: 'Deze code is niet juist.',
  passkey: 'Deze passkey is niet aangenomen. Probeer het opnieuw.',
  unknownRole: 'Deze rol bestaat niet.',
  unknownUser: 'Deze gebruiker bestaat niet.',
  ownAddress: 'Kies het adres van de afzender, een ontvanger van contactberichten of uw eigen adres.',
  value: 'Deze waarde kan hier niet.',
  tooMany: 'Kies er hoogstens {{limit}}.',
} satisfies Record<ValidationKey, string>
