const NAMES = [
  'Müller',
  'Größ',
  'Schäfer',
  'Weiß',
  'König',
  'Baum',
  'Jäger',
  'Lüders',
  'Franz',
  'Öttl',
  'Kern',
  'Bäcker',
];
const GIVEN = ['Jürgen', 'Käthe', 'Björn', 'Anna', 'Günther', 'Ute', 'Jörg', 'Maria', 'Lars', 'Heike', 'Uwe', 'Inge'];
const CITIES = ['Köln', 'Düsseldorf', 'Münster', 'Würzburg', 'Görlitz', 'Fürth'];
const CUSTOMERS = 48;

const pick = (list: readonly string[], at: number) => list[at % list.length] ?? '';
const day = (year: number, at: number) =>
  `${String((at % 28) + 1).padStart(2, '0')}.${String((at % 12) + 1).padStart(2, '0')}.${year}`;
const euros = (cents: number) =>
  `${Math.floor(cents / 100)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, '.')},${String(cents % 100).padStart(2, '0')}`;
const customerNumber = (at: number) => 1_002_371 + at * 7_919;

/** A Marktlokation: ten digits and their check digit. */
function marketLocation(at: number): string {
  const digits = String(5_120_000_017 + at * 7_310_003);
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * ((index % 2) + 1), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

function table(header: string, row: (at: number) => readonly (string | number)[], rows = CUSTOMERS): Buffer {
  const lines = Array.from({ length: rows }, (_, at) => row(at).join(';'));
  // The letters of these files have the same bytes in Windows-1252.
  return Buffer.from(`${[header, ...lines].join('\r\n')}\r\n`, 'latin1');
}

/** What a CRM, a billing system and a meter system of a German supplier export. Nobody in them exists. */
export const germanExports = (): Readonly<Record<string, Buffer>> => ({
  'KUNDEN_2026.csv': table(
    'KDNR;ANREDE;VNAME;NNAME;STRASSE;HAUSNR;PLZ;ORT;LAND;KANAL_1;TEL;HANDY;GEBDAT;KDKLASSE;BANKVERB;ERDAT',
    (at) => [
      String(customerNumber(at)).padStart(10, '0'),
      ...[at % 2 === 0 ? 'Herr' : 'Frau', pick(GIVEN, at), pick(NAMES, at * 5)],
      ...[`Lange Straße`, (at % 90) + 1, String(1_067 + at * 1_931).padStart(5, '0'), pick(CITIES, at), 'DE'],
      ...[`kunde.${at}@example.org`, `0221 49${600 + at}0`, `+49 151 23${45_600 + at}`, day(1950 + (at % 40), at)],
      ...[at % 5 === 0 ? 'G' : 'P', `DE${20 + at}5001051700648489${10 + at}`, day(2019, at * 3)],
    ],
  ),
  'BUCHUNGEN.csv': table(
    'BELNR;K_REF;BUDAT;FAEDN;BUCHART;BETRAG_EUR;BUTXT',
    (at) => [
      ...[`90${10_000 + at}`, customerNumber(at % CUSTOMERS), day(2026, at), day(2026, at + 14)],
      ...[at % 3 === 0 ? 'ZAH' : 'RG', `${euros(4_820 + at * 3_571)}${at % 3 === 0 ? '-' : ''}`, 'Abschlag'],
    ],
    CUSTOMERS * 3,
  ),
  'RECHNUNGEN.csv': table('RECHNR;KDNR;PERIODE_VON;PERIODE_BIS;RECHDAT;BRUTTO_EUR;DATEI', (at) => [
    ...[`RE-${40_000 + at}`, customerNumber(at), day(2025, at), day(2026, at), day(2026, at + 3)],
    ...[euros(90_000 + at * 1_117), `archiv/${40_000 + at}.pdf`],
  ]),
  'ZAEHLER.csv': table(
    'LOKATION;KUNDE;ZAEHLERNR;SPARTE;EINBAUDATUM;L_STR;L_HNR;L_PLZ;L_ORT;EINZUG;LIEFERBEGINN;TARIF;TARIF_AB;TARIF_BIS',
    (at) => [
      ...[
        marketLocation(at),
        customerNumber(at),
        `1EMH00${12_345 + at}`,
        at % 4 === 0 ? 'GAS' : 'STROM',
        day(2015, at),
      ],
      ...[`Lange Straße`, (at % 90) + 1, String(1_067 + at * 1_931).padStart(5, '0'), pick(CITIES, at)],
      ...[day(2019, at), day(2019, at + 2), 'GRUEN-24', day(2024, at), '31.12.9999'],
    ],
  ),
  'ABLESUNGEN.csv': table(
    'LOK;GERAET;ZAEHLWERK;ABLESDAT;ZWSTAND;ABLESEART',
    (at) => [
      ...[marketLocation(at % CUSTOMERS), `1EMH00${12_345 + (at % CUSTOMERS)}`, '01', day(2026, at)],
      ...[`${euros(482_150 + at * 1_013).slice(0, -1)}`, at % 2 === 0 ? 'K' : 'N'],
    ],
    CUSTOMERS * 2,
  ),
});
