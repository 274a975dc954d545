import type { RecoverySheetValues } from '../nl/recovery-sheet.ts'

export const recoverySheet = ({
  site,
  url,
  version,
  date,
  key,
  folder,
  command,
}: RecoverySheetValues) => `RECOVERY SHEET OF ${site}
${url} · version ${version} of the program · printed on ${date}

Keep this sheet apart from the backups, where only people who may restore the site can read it.

The key of the backups:

  ${key}

Type it as one word, without the spaces. Anybody who has it and a backup can read everything that is in the backup.
Without it nobody can open a backup.

To restore the site on this or another machine:

  1. Install the program: version ${version} or a newer one.
  2. Get a backup: a file etalage-….tar.age. The backups are in ${folder}
     Get the file etalage-journal-….age and the folder etalage-files-… that are beside it too.
  3. Stop the program, and run this command in its folder, with the key in BACKUP_KEY:

       ${command}

  4. Start the program.

The files are made by age (https://age-encryption.org) and tar. These two also open them without this program.
`
