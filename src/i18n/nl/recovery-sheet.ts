/** The values in the sheet; `key` has a space after every eight characters, `command` restores a backup. */
export type RecoverySheetValues = Record<'site' | 'url' | 'version' | 'date' | 'key' | 'folder' | 'command', string>

/** To print, so it has lines of its own. */
export const recoverySheet = ({
  site,
  url,
  version,
  date,
  key,
  folder,
  command,
}: RecoverySheetValues) => `HERSTELBLAD VAN ${site}
${url} · versie ${version} van het programma · afgedrukt op ${date}

Bewaar dit blad apart van de back-ups, waar alleen mensen erbij kunnen die de site mogen terugzetten.

De sleutel van de back-ups:

  ${key}

Typ hem als één woord, zonder de spaties. Wie deze sleutel en een back-up heeft, kan alles lezen wat in de back-up staat.
Zonder de sleutel kan niemand een back-up openen.

Zo zet u de site terug, op deze machine of op een andere:

  1. Installeer het programma: versie ${version} of een nieuwere.
  2. Haal een back-up op: een bestand etalage-….tar.age. De back-ups staan in ${folder}
     Neem ook het bestand etalage-journal-….age en de map etalage-files-… mee die ernaast staan.
  3. Stop het programma en geef in de map van het programma deze opdracht, met de sleutel in BACKUP_KEY:

       ${command}

  4. Start het programma.

De bestanden zijn gemaakt met age (https://age-encryption.org) en tar. Met die twee kunt u ze ook zonder dit programma openen.
`
