/** The findings of the health checks. Each finding that is not good ends with what to do about it. */
export const health = {
  checks: {
    database: 'Database',
    integrity: 'Integriteit van de database',
    databaseSize: 'Grootte van de database',
    disk: 'Schijfruimte',
    storage: 'Ruimte voor bestanden',
    backup: 'Back-up',
    backupRetention: 'Opruimen van back-ups',
    mailServer: 'Mailserver',
    emails: 'Uitgaande e-mail',
    mailbox: 'Mailbox',
    canary: 'Contactformulier',
    arrival: 'Aankomst van e-mail',
    spf: 'SPF: wie namens u mag mailen',
    dkim: 'DKIM: ondertekening',
    dmarc: 'DMARC: misbruik van uw adres',
    mx: 'MX: antwoorden ontvangen',
    reachable: 'Bereikbaarheid',
    certificate: 'Certificaat',
    https: 'Beveiligde verbinding',
    headers: 'Beveiligingsheaders',
    ipv6: 'IPv6',
    dnssec: 'DNSSEC: echtheid van de naam',
    securityTxt: 'security.txt',
    schedules: 'Geplande publicaties',
    links: 'Links binnen de website',
    cdn: 'CDN',
    version: 'Versies',
    clock: 'Klok',
    alarms: 'Waarschuwingen',
  },
  findings: {
    notChecked: 'Dit kon niet worden nagekeken ({{reason}}). Kijk over een paar minuten opnieuw.',
    databaseGood: 'De database antwoordt en er kan in worden geschreven.',
    databaseSlow:
      'De database antwoordt traag: het duurde {{ms, number}} milliseconden. Kijk of de server het te druk heeft.',
    databaseAway:
      'De database antwoordt niet of er kan niet in worden geschreven. Start de database opnieuw en kijk in het logboek van de server.',
    integrityGood: 'De database is onbeschadigd.',
    integrityDamaged: 'De database is beschadigd ({{damage}}). Zet de nieuwste goede back-up terug.',
    integrityTooLarge:
      'De database is te groot om tijdens het werk helemaal na te kijken. Controleer een back-up met ‘restore --check’.',
    databaseSizeGood: 'De database is {{size}} groot.',
    databaseSizeGrew: 'De database is {{size}} groot. In {{days, number}} dagen kwam er {{growth}} bij.',
    databaseSizeSoon:
      'De database is {{size}} groot en in {{days, number}} dagen kwam er {{growth}} bij; zo is de schijf binnen een maand vol. Maak ruimte vrij of zet bij Instellingen, Bewaartermijnen, lagere aantallen.',
    databaseSizeTight:
      'De database is {{size}} groot en er is minder vrije schijfruimte dan dat. Maak ruimte vrij of neem een grotere schijf.',
    diskGood: 'Er is {{free}} vrij.',
    diskLow: 'Er is nog maar {{free}} vrij. Maak ruimte vrij of neem een grotere schijf.',
    diskFull:
      'De schijf is zo goed als vol: er is nog {{free}} vrij. Maak nu ruimte vrij, anders kan er niets meer worden opgeslagen.',
    storageAway:
      'De bestandsopslag is niet bereikbaar, dus bestanden worden niet bewaard of getoond. Kijk na of de opslagserver draait en of STORAGE_URL klopt.',
    storageWithoutQuota: 'De bestanden nemen {{used}} in. Er is geen grens ingesteld.',
    storageGood: 'De bestanden nemen {{used}} in van de {{quota}}.',
    storageLow:
      'De bestanden nemen {{used}} in van de {{quota}}. Verwijder bestanden die u niet gebruikt of verhoog STORAGE_QUOTA_MB.',
    storageFull:
      'De ruimte voor bestanden is vol: {{used}} van {{quota}}. Verwijder bestanden die u niet gebruikt of verhoog STORAGE_QUOTA_MB.',
    backupGood: 'De nieuwste back-up is van {{at}}.',
    backupLate: 'De nieuwste back-up is van {{at}}. Maak er een onder Back-ups, of met ‘npm run cli -- backup’.',
    backupMissing:
      'De nieuwste back-up is van {{at}}, meer dan een week geleden. Maak er nu een onder Back-ups, of met ‘npm run cli -- backup’.',
    backupNone: 'Er is nog geen back-up. Stel onder Back-ups in wanneer er een gemaakt wordt.',
    backupPlanned: 'Er is nog geen back-up. De eerste wordt binnen een dag gemaakt.',
    backupProved: 'De nieuwste back-up is van {{at}}. Dat hij te herstellen is, is bewezen op {{proved}}.',
    backupProofUnknown:
      'De nieuwste back-up is van {{at}}, maar op {{proved}} was niet vast te stellen of hij te herstellen is. Kijk onder Back-ups waarom.',
    backupProofLate:
      'De nieuwste back-up is van {{at}}, maar het laatste geslaagde proefherstel was op {{proved}}. Kijk onder Back-ups waarom er sindsdien geen lukte.',
    backupNeverProved:
      'De nieuwste back-up is van {{at}}, maar van nog geen enkele back-up is bewezen dat hij te herstellen is. Bewijs onder Back-ups de nieuwste, of kijk daar waarom dat niet lukt.',
    backupFailed:
      'De laatste back-up is mislukt; de nieuwste is van {{at}}. Kijk onder Back-ups waarom, en probeer het opnieuw.',
    backupNeverMade:
      'De back-up is mislukt, en er is nog geen andere. Kijk onder Back-ups waarom, en probeer het opnieuw.',
    backupUnproved:
      'De back-up van {{at}} kon bij het proefherstel niet worden hersteld. Maak onder Back-ups een nieuwe, en bewijs die.',
    backupRetentionGood: 'Bestanden die geen back-up meer nodig heeft, worden opgeruimd.',
    backupRetentionStopped:
      'Bestanden van oude back-ups worden niet opgeruimd, omdat een back-up niet te lezen is ({{reason}}). Zet er een gave kopie voor in de plaats of haal dat bestand daar weg; de volgende back-up ruimt dan op.',
    mailServerGood: 'De website kan inloggen bij de mailserver.',
    mailServerFailed: 'De mailserver doet het niet. {{advice}}',
    mailServerMissing:
      'Er is geen mailserver ingesteld, dus e-mail wordt alleen als bestand bewaard. Stel een mailserver in.',
    emailsGood: 'In de afgelopen week bleef geen e-mail liggen en kwam er geen terug.',
    emailsWaiting:
      'De oudste wachtende e-mail wacht sinds {{at}}. Kijk bij E-mail wat de mailserver antwoordt en herstel de instellingen.',
    emailsLost_one:
      '{{count, number}} e-mail over een bericht aan u is in de afgelopen week niet aangekomen. Lees het bericht bij Berichten en kijk bij E-mail wat er misging.',
    emailsLost_other:
      '{{count, number}} e-mails over berichten aan u zijn in de afgelopen week niet aangekomen. Lees de berichten bij Berichten en kijk bij E-mail wat er misging.',
    emailsFailed_one:
      '{{count, number}} e-mail is in de afgelopen week niet aangekomen. Kijk bij E-mail waarom, en verstuur de e-mail opnieuw of vraag om het juiste adres.',
    emailsFailed_other:
      '{{count, number}} e-mails zijn in de afgelopen week niet aangekomen. Kijk bij E-mail waarom, en verstuur ze opnieuw of vraag om het juiste adres.',
    mailboxGood: 'De mailbox is op {{at}} gelezen.',
    mailboxNone:
      'Er is geen mailbox ingesteld, dus e-mail die terugkomt, wordt niet opgemerkt. Dat kan bij Instellingen, E-mail.',
    mailboxUnread: 'De mailbox is nog niet gelezen. Kijk over een paar minuten opnieuw.',
    mailboxLate:
      'De mailbox is voor het laatst op {{at}} gelezen, dus e-mail die terugkomt, wordt niet opgemerkt. Kijk in het logboek van de server waarom.',
    mailboxFailed: 'De mailbox kan niet worden gelezen, dus e-mail die terugkomt, wordt niet opgemerkt. {{advice}}',
    mailboxPasswordLost:
      'Het wachtwoord van de mailbox is niet meer te ontcijferen. Vul het bij Instellingen, E-mail, opnieuw in.',
    canaryGood: 'Een testbericht is de hele weg gegaan, tot bij de mailserver. Er is niets van bewaard of verstuurd.',
    canaryWithoutServer:
      'Een testbericht is de hele weg gegaan; zonder mailserver wordt e-mail als bestand bewaard. Er is niets van bewaard.',
    canaryNotStored:
      'Een bericht van het contactformulier kan niet worden opgeslagen ({{reason}}). Kijk bij Database en Schijfruimte en in het logboek.',
    canarySpam:
      'Een gewoon bericht zou in de spam belanden en niet worden gemaild. Maak bij Instellingen, Spam, de regels minder streng.',
    canaryNotRendered:
      'De e-mail over een bericht kan niet worden gemaakt ({{reason}}). Kijk bij Instellingen naar de ontvangers en de afzender.',
    canaryNotHandedOver:
      'De mailserver neemt niets aan ({{reason}}). Herstel het adres, de naam of het wachtwoord van de mailserver.',
    canaryNotAnswered:
      'Het contactformulier antwoordt met fout {{status}}, dus bezoekers kunnen niets versturen. Kijk in het logboek van de server.',
    canaryNotShown:
      'De pagina {{path}} toont het contactformulier niet. Bekijk de pagina, en kijk in het logboek van de server.',
    formNotAnswered:
      'Het formulier {{form}} antwoordt met fout {{status}}, dus bezoekers kunnen het niet versturen. Kijk in het logboek van de server.',
    programNeeded:
      'Alleen het draaiende programma kan dit nakijken, en dat deed het de laatste tijd niet. Start het, of open in het beheer het scherm Gezondheid.',
    arrivalGood: 'De dagelijkse testmail kwam op {{at}} aan in de mailbox en is daar weer verwijderd.',
    arrivalUnderWay: 'Er is een testmail onderweg naar de mailbox. Kijk over een paar minuten opnieuw.',
    arrivalWithoutMailbox:
      'Zonder mailserver en mailbox is niet te zien of e-mail aankomt. Stel ze in bij Instellingen, E-mail.',
    arrivalWithoutAddress:
      'Van de mailbox is geen e-mailadres bekend, dus er gaat geen dagelijkse testmail naartoe. Vul het adres in bij Instellingen, E-mail.',
    arrivalUnreadable:
      'De mailbox kan niet worden gelezen, dus of e-mail aankomt, is niet te zien. Kijk wat er bij Mailbox staat.',
    arrivalMissing:
      'De testmail die op {{at}} is verstuurd, kwam niet aan in de mailbox. Kijk in de map met ongewenste e-mail en naar SPF, DKIM en DMARC.',
    arrivalRefused:
      'De testmail aan de mailbox is geweigerd ({{reason}}). Kijk bij Instellingen, E-mail, of de mailserver en de mailbox kloppen.',
    senderGood: 'De DNS van {{domain}} is op dit punt in orde.',
    senderWarning: 'De DNS van {{domain}} kan op dit punt beter. Bij Instellingen, E-mail, staat wat u erin zet.',
    senderFailed:
      'De DNS van {{domain}} is op dit punt niet in orde, dus e-mail komt misschien niet aan. Bij Instellingen, E-mail, staat wat u erin zet.',
    senderUnknown: 'Over {{domain}} was op dit punt niets te zeggen. Bij Instellingen, E-mail, staat waarom.',
    addressPrivate:
      '{{address}} leidt naar een privénetwerk, dus dit is van hier niet te zien. Bekijk de website vanaf een ander netwerk.',
    addressAway:
      '{{address}} was van hier niet te bereiken, dus dit is niet te zien. Bekijk de website vanaf een ander netwerk.',
    reachableGood: '{{address}} antwoordt.',
    reachableError: '{{address}} antwoordt met fout {{status}}. Kijk in het logboek van de server en van de proxy.',
    reachableForeign:
      'Op {{address}} antwoordt een andere website, bijvoorbeeld een parkeerpagina. Kijk waar de DNS van de naam en de proxy naartoe leiden.',
    reachableLost:
      '{{address}} is niet meer te bereiken, terwijl dat eerder wel kon. Kijk of de server en de proxy draaien en of de DNS van de naam klopt.',
    certificateGood: 'Het certificaat is geldig tot {{at}}.',
    certificateSoon: 'Het certificaat verloopt op {{at}}. Kijk waarom het niet vanzelf wordt vernieuwd.',
    certificateExpired: 'Het certificaat is op {{at}} verlopen. Vernieuw het nu: browsers waarschuwen uw bezoekers.',
    certificateInvalid:
      'Browsers vertrouwen het certificaat niet ({{problem}}). Vraag een nieuw certificaat aan voor dit adres.',
    httpsMissing: 'De website wordt zonder https aangeboden. Zet er een proxy met een certificaat voor, zoals Caddy.',
    httpsGood: 'Wie zonder https komt, wordt naar de beveiligde verbinding geleid.',
    httpsPlainClosed:
      'Zonder https antwoordt er niets, dus een adres zonder https werkt niet. Open poort 80 en leid bezoekers door.',
    httpsNotRedirected:
      'Wie zonder https komt, wordt niet naar de beveiligde verbinding geleid. Stel dat in bij de proxy.',
    httpsOldTls:
      'De server laat ook TLS 1.0 of 1.1 toe, die niet veilig zijn. Sta in de proxy alleen TLS 1.2 en 1.3 toe.',
    headersGood: 'De beveiligingsheaders komen bij bezoekers aan.',
    headersMissing: 'Deze headers komen niet bij bezoekers aan: {{names}}. Kijk of de proxy ze weghaalt.',
    hstsShort:
      'Browsers onthouden korter dan een jaar dat de website https gebruikt (HSTS). Laat de proxy de header van het programma doorgeven.',
    ipv6Good: 'Het adres is met IPv6 te vinden.',
    ipv6Answers: 'De website antwoordt met IPv6.',
    ipv6Silent:
      'Het adres is met IPv6 te vinden, maar daar antwoordt niets. Open poort 443 voor IPv6 of herstel het AAAA-record.',
    ipv6Missing: 'Het adres is niet met IPv6 te vinden. Voeg in de DNS een AAAA-record toe.',
    dnssecGood: 'De naam van de website is met DNSSEC beveiligd.',
    dnssecMissing: 'De naam van de website is niet met DNSSEC beveiligd. Zet het aan bij de provider van het domein.',
    dnssecUnknown:
      'De resolver van deze server controleert DNSSEC niet, dus dit is hier niet te zien. Kijk op internet.nl.',
    dnssecNoName: '{{address}} is geen naam in de DNS.',
    securityTxtGood: 'security.txt is te vinden en geldig tot {{at}}.',
    securityTxtMissing:
      'security.txt is niet te vinden of onleesbaar. Kijk of de proxy /.well-known/security.txt doorlaat.',
    securityTxtExpired: 'security.txt is op {{at}} verlopen. Kijk of de proxy een oud bestand bewaart.',
    schedulesGood: 'Geplande publicaties zijn op tijd uitgevoerd.',
    schedulesLate:
      'De publicatie die op {{at}} had moeten gebeuren, is nog niet uitgevoerd. Kijk bij Pagina’s welke het is en in het logboek waarom.',
    linksGood: 'Geen enkele link binnen de website loopt dood.',
    linksDead_one: '{{count, number}} adres waarnaar u linkt, bestaat niet. Kijk bij de links van uw pagina’s welk.',
    linksDead_other:
      '{{count, number}} adressen waarnaar u linkt, bestaan niet. Kijk bij de links van uw pagina’s welke.',
    cdnGood: 'Het CDN haalt verouderde pagina’s weg.',
    cdnFailing:
      'Het CDN weigert sinds {{at}} verouderde pagina’s weg te halen, dus bezoekers kunnen oude inhoud zien. Controleer CDN_PURGE en CDN_TOKEN.',
    versionGood: 'Versie {{version}}. Het programma en de database passen bij elkaar; Node {{node}}.',
    versionUpdated:
      'Versie {{version}}, in de plaats van {{from}} sinds {{at}}. Het programma en de database passen bij elkaar; Node {{node}}.',
    updateUndone:
      'De update naar versie {{to}} is op {{at}} teruggedraaid; versie {{version}} draait. De reden: {{reason}}. Laat dit oplossen voordat u opnieuw bijwerkt.',
    updateStuck:
      'De update naar versie {{to}} had op {{at}} teruggedraaid moeten worden, maar versie {{from}} start niet meer. De reden: {{reason}}. Laat er meteen iemand naar kijken.',
    versionNode: 'Het programma draait op Node {{node}}, maar is gemaakt voor {{wanted}}. Start het met npm start.',
    versionOlder:
      'De database is van een nieuwere versie van het programma ({{names}}). Start op elke server die nieuwere versie.',
    clockGood: 'De klok loopt gelijk.',
    clockOff:
      'De klok van het programma en die van de database schelen {{seconds, number}} seconden. Zet tijdsynchronisatie (NTP) aan.',
    clockJumped:
      'De klok versprong in de afgelopen dag {{seconds, number}} seconden. Kijk of tijdsynchronisatie (NTP) goed werkt.',
    alarmsGood_one: 'Gaat er iets mis, dan krijgt {{count, number}} persoon een e-mail.',
    alarmsGood_other: 'Gaat er iets mis, dan krijgen {{count, number}} mensen een e-mail.',
    alarmsWebhook: 'Gaat er iets mis, dan krijgt uw webhook bericht.',
    alarmsNobody:
      'Niemand krijgt bericht als er iets misgaat. Kies op het scherm Gezondheid, bij Waarschuwingen, wie een e-mail krijgt.',
  },
}
