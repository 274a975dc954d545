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
} satisfies Record<ValidationKey, string>
