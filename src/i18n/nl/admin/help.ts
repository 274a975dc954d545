/** Two or three sentences about each screen, loaded when they are asked for. */
export const help = {
  api: 'Beschrijving van de API voor programma’s',
  screens: {
    overview:
      'Hier begint u: wat er op u wacht, wat er nieuw is en hoeveel bezoekers u had. U ziet alleen waar u rechten voor hebt. Met Ctrl K (op een Mac ⌘ K) vindt u elk scherm.',
    statistics:
      'Hoeveel bezoeken er waren, naast die van even zoveel dagen ervoor. Een link met utm_source, utm_medium of utm_campaign in het adres telt als campagne. Er is niet aan te zien wie er was.',
    messages:
      'Elk bericht van het contactformulier komt hier binnen, ook als de e-mail niet aankomt. Markeer een bericht als beantwoord, dan weten collega’s dat het klaar is. Wat op spam lijkt, staat apart.',
    message:
      'Antwoord vanaf dit scherm, dan staat uw antwoord erbij voor uw collega’s. Een notitie ziet de afzender nooit. Verwijderen kan niet ongedaan worden gemaakt.',
    mail: 'Alle e-mail die de website verstuurt, met wat de mailserver antwoordde. Een mislukte e-mail wordt drie dagen lang opnieuw geprobeerd, en nog twee als u die zelf opnieuw verstuurt.',
    emailPreviews:
      'Zo zien de e-mails van uw website eruit, in elke taal die het programma spreekt. Ze gebruiken uw naam, logo en kleuren. Er wordt niets verstuurd.',
    pages:
      'Elke pagina heeft per taal een eigen tekst, die u apart schrijft en publiceert. Opslaan is nog niet publiceren. Wat u weggooit, kunt u uit de prullenbak terughalen.',
    page: 'Wat u typt, wordt vanzelf als concept bewaard. Opslaan legt een versie vast; bezoekers zien haar pas als ze is gepubliceerd. Werken er twee mensen tegelijk, dan worden hun wijzigingen samengevoegd.',
    newPage:
      'Een titel is genoeg om te beginnen; het adres volgt daaruit. De pagina is pas voor bezoekers te zien als u haar publiceert.',
    history:
      'Elke keer dat iemand opslaat, staat hier, met wat er is gewijzigd. U kunt elke versie terugzetten; dat wordt een nieuwe versie, dus er gaat niets verloren.',
    health:
      'Wat het programma over zichzelf nakijkt: gegevens, e-mail, het adres, de inhoud en het programma zelf. Bij elke regel die niet goed is, staat wat u kunt doen. ‘Onbekend’ betekent dat het van hier niet te zien was.',
    links:
      'Elke link in pagina’s, secties, menu’s, kop- en voettekst wordt nagekeken zodra u dit scherm opent. Een link die via een doorverwijzing uitkomt, is goed. Links naar andere websites worden pas opgevraagd als u daarom vraagt.',
    redirects:
      'Wijzigt een adres, dan leidt het oude vanzelf naar het nieuwe. Hier ziet u die doorverwijzingen en maakt u er zelf een, bijvoorbeeld voor een adres van uw oude website.',
    sections:
      'Blokken die u onder een naam bewaarde, om op meer pagina’s te gebruiken. Als kopie staan ze los van elkaar; gedeeld verandert een wijziging elke pagina tegelijk. Bewaren doet u in een pagina, in het menu van een blok.',
    section:
      'Wat u hier opslaat, zien bezoekers meteen op elke pagina met deze sectie. Zonder blokken in een taal tonen pagina’s in die taal de Nederlandse. Een sectie die in gebruik is, kan niet worden verwijderd.',
    files:
      'Afbeeldingen en documenten voor uw pagina’s. Afbeeldingen worden vanzelf in elke maat gemaakt. Een bestand dat ergens wordt gebruikt, kan niet worden verwijderd.',
    file: 'Geef een afbeelding een beschrijving: die leest een schermlezer voor. Het middelpunt blijft in beeld als de afbeelding wordt bijgesneden. Vervangt u het bestand, dan verandert het overal.',
    users:
      'Iedereen die kan inloggen. Met een rol bepaalt u wat iemand mag. Wie u blokkeert, is meteen overal uitgelogd.',
    user: 'U kunt niemand rechten geven die u zelf niet hebt. Stuur liever een link om een wachtwoord te kiezen dan een wachtwoord per e-mail.',
    roles:
      'Een rol is een lijst met rechten. Iedereen heeft de basisrol, en daarnaast hoogstens één rol voor het werk.',
    role: 'Vink aan wat iemand met deze rol mag. Met ‘schrijven’ maar zonder ‘publiceren’ biedt iemand pagina’s ter controle aan.',
    backups:
      'Zet aan dat er elke dag een back-up wordt gemaakt, en bewaar die liever op een andere server. Het herstelblad heeft de sleutel: zonder die is geen back-up te openen. Eén bericht of pagina haalt u hier terug; de hele website terugzetten gebeurt op de server zelf.',
    config:
      'Alles wat op de hele website geldt: naam, kleuren, menu, prijzen en contact. Elke wijziging is een versie die u kunt terugzetten.',
    configPart:
      'Het voorbeeld laat uw wijziging op de echte website zien, voordat u opslaat. Na het opslaan ziet elke bezoeker haar binnen een seconde.',
    mailServer:
      'Vul in wat uw e-mailprovider opgeeft; voordat er wordt opgeslagen, logt de website er een keer in. Stuur daarna uzelf een testmail: u ziet elke stap, en bij een fout wat u eraan doet. Vult u onderaan de mailbox van de afzender in, dan ziet u ook welke e-mails niet zijn aangekomen.',
    revisions:
      'Elke keer dat iemand de instellingen wijzigde. U ziet wat er anders werd en kunt een eerdere versie terugzetten.',
    privacy:
      'Vraagt iemand om zijn gegevens, dan vindt, exporteert of wist u hier alles wat bij een e-mailadres hoort. Wissen kan niet ongedaan worden gemaakt.',
    audit:
      'Wie wat wanneer heeft gewijzigd, ook via de API en de opdrachtregel. Het logboek kan niet worden gewijzigd.',
    profile:
      'Uw gegevens en hoe u inlogt. Zet inloggen in twee stappen aan, of gebruik een passkey. Onderaan staat wat u met uw rol mag.',
  },
}
